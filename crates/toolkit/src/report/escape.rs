//! Text from outside in HTML, and templates.

use super::printable;

/// Returns `text` for HTML, between tags and in attributes with quotation marks. Control characters,
/// including those of bidirectional text, become visible.
pub fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for c in printable(text).chars() {
        match c {
            '&' => html += "&amp;",
            '<' => html += "&lt;",
            '>' => html += "&gt;",
            '"' => html += "&quot;",
            '\'' => html += "&#39;",
            c => html.push(c),
        }
    }
    html
}

/// Returns `template`, in which `value` replaces each `{{name}}`. Values are not examined, so that braces in
/// them stay.
pub fn filled(template: &str, value: impl Fn(&str) -> String) -> String {
    let mut parts = template.split("{{");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once("}}").unwrap_or((part, ""));
        text += &value(name);
        text += rest;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_be_markup() {
        let name = "\"><script>alert('1')</script>&amp;\n\u{202e}.png";
        let html = escaped(name);
        assert_eq!(
            html,
            "&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;\\n\\u{202e}.png"
        );
    }

    #[test]
    fn values_are_not_templates() {
        let text = filled("a {{x}} b {{y}}.", |name| format!("<{name} {{{{x}}}}>"));
        assert_eq!(text, "a <x {{x}}> b <y {{x}}>.");
    }
}
