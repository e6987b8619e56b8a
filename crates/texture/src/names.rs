//! Names of options, as on the command line.

/// `FromStr` for an enum with `ALL` and `name`.
macro_rules! impl_from_str {
    ($type:ty) => {
        impl std::str::FromStr for $type {
            type Err = $crate::UnknownName;

            fn from_str(name: &str) -> Result<Self, $crate::UnknownName> {
                $crate::UnknownName::find(name, Self::ALL, Self::name)
            }
        }
    };
}
pub(crate) use impl_from_str;
