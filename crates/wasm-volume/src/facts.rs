//! Facts for the host, as JSON.

use serde_json::{Map, Value};

/// Returns an object with these fields. (`json!` would link the code that serialises values to values.)
pub fn object<const N: usize>(fields: [(&str, Value); N]) -> Value {
    let mut object = Map::new();
    for (name, value) in fields {
        object.insert(name.to_owned(), value);
    }
    Value::Object(object)
}
