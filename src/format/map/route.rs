//! Where a value stands in one's own JSON: `$.result.spans[*].start`.

use std::fmt;
use std::str::FromStr;

use serde_json::Value;

use crate::model::Origin;

/// A path with `[*]` for every element of a list or member of an object; relative ones leave `$.` out.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Route(Vec<Hop>);

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Hop {
    Key(String),
    Index(usize),
    Each,
}

impl Route {
    /// Of a key.
    pub fn key(key: &str) -> Self {
        Self(vec![Hop::Key(key.to_owned())])
    }

    /// The same with a key behind it.
    #[must_use]
    pub fn then(mut self, key: &str) -> Self {
        self.0.push(Hop::Key(key.to_owned()));
        self
    }

    /// The same for every element of the list there.
    #[must_use]
    pub fn each(mut self) -> Self {
        self.0.push(Hop::Each);
        self
    }

    /// The same with a place of a list behind it.
    #[must_use]
    pub fn item(mut self, index: usize) -> Self {
        self.0.push(Hop::Index(index));
        self
    }

    /// The same with another path behind it.
    #[must_use]
    pub fn join(mut self, below: Self) -> Self {
        self.0.extend(below.0);
        self
    }

    /// What it has behind another path, where it begins with that.
    pub fn below(&self, above: &Self) -> Option<Self> {
        self.0.strip_prefix(&above.0[..]).map(|rest| Self(rest.to_vec()))
    }

    /// The same without the last of its hops.
    pub fn parent(&self) -> Self {
        Self(self.0.split_last().map(|(_, rest)| rest.to_vec()).unwrap_or_default())
    }

    /// Its keys, whatever else it has.
    pub fn key_names(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.0.iter().filter_map(|hop| if let Hop::Key(key) = hop { Some(key.as_str()) } else { None })
    }

    /// The last of its keys.
    pub fn last_key(&self) -> Option<&str> {
        self.key_names().next_back()
    }

    /// The keys, where it has nothing else.
    pub fn keys(&self) -> Option<Vec<&str>> {
        let keys: Vec<&str> = self.key_names().collect();
        (keys.len() == self.0.len()).then_some(keys)
    }

    /// The values there, with their places; a list at the end of the path stands for its elements only where
    /// the path says so.
    pub fn find<'v>(&self, value: &'v Value, at: &Origin) -> Vec<(&'v Value, Origin)> {
        let mut found = vec![(value, at.clone())];
        for hop in &self.0 {
            found = found.into_iter().flat_map(|(value, at)| hop.next(value, &at)).collect();
        }
        found.retain(|(value, _)| !value.is_null());
        found
    }

    /// The first value there.
    pub fn first<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        self.find(value, &Origin::default()).into_iter().next().map(|(value, _)| value)
    }
}

impl Hop {
    fn next<'v>(&self, value: &'v Value, at: &Origin) -> Vec<(&'v Value, Origin)> {
        match self {
            Self::Key(key) => value.get(key).map(|inner| (inner, at.key(key))).into_iter().collect(),
            Self::Index(index) => {
                value.get(*index).map(|inner| (inner, at.item(*index))).into_iter().collect()
            }
            Self::Each => {
                let list = value.as_array().into_iter().flatten().enumerate();
                let list = list.map(|(index, inner)| (inner, at.item(index)));
                let members = value.as_object().into_iter().flatten();
                // Some write one element without its list.
                let only = Some((value, at.clone())).filter(|_| !value.is_array() && !value.is_object());
                list.chain(members.map(|(key, inner)| (inner, at.key(key)))).chain(only).collect()
            }
        }
    }
}

impl FromStr for Route {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut rest = text.trim();
        rest = rest.strip_prefix('$').unwrap_or(rest);
        let mut hops = Vec::new();
        let wrong = |what: &str| {
            format!("{text:?} is no path: {what}; a path is `$.answer`, `$.spans[*]` or `start`")
        };
        while !rest.is_empty() {
            if let Some(inner) = rest.strip_prefix('[') {
                let (index, after) = inner.split_once(']').ok_or_else(|| wrong("a bracket is not closed"))?;
                let index = index.trim_matches(['\'', '"']);
                hops.push(match (index, index.parse()) {
                    ("*", _) => Hop::Each,
                    (_, Ok(number)) => Hop::Index(number),
                    ("", _) => return Err(wrong("nothing stands in brackets")),
                    (key, _) => Hop::Key(key.to_owned()),
                });
                rest = after;
                continue;
            }
            let inner = rest.strip_prefix('.').unwrap_or(rest);
            let end = inner.find(['.', '[']).unwrap_or(inner.len());
            let (key, after) = inner.split_at(end);
            if key.is_empty() {
                return Err(wrong("a key is empty"));
            }
            hops.push(Hop::Key(key.to_owned()));
            rest = after;
        }
        Ok(Self(hops))
    }
}

impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("$");
        }
        for (number, hop) in self.0.iter().enumerate() {
            match hop {
                Hop::Key(key) if key.contains(['.', '[', ' ']) => write!(f, "['{key}']")?,
                Hop::Key(key) if number == 0 => f.write_str(key)?,
                Hop::Key(key) => write!(f, ".{key}")?,
                Hop::Index(index) => write!(f, "[{index}]")?,
                Hop::Each => f.write_str("[*]")?,
            }
        }
        Ok(())
    }
}

impl TryFrom<String> for Route {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn paths_lead_to_values_with_their_places() {
        let value = json!({"a": [{"b": 1}, {"b": null}, {"b": [2]}], "x y": {"c": 3}});
        let found = |route: &str| -> Vec<String> {
            let route: Route = route.parse().unwrap();
            let found = route.find(&value, &Origin::default());
            found.into_iter().map(|(value, at)| format!("{} {value}", at.path)).collect()
        };
        assert_eq!(found("$.a[*].b"), ["$.a[0].b 1", "$.a[2].b [2]"]);
        assert_eq!(found("a[2].b[0]"), ["$.a[2].b[0] 2"]);
        assert_eq!(found("$['x y'].c"), ["$[\"x y\"].c 3"]);
        assert_eq!(found("$.none[*]"), [""; 0]);
        assert_eq!(found("$").len(), 1);
        assert_eq!(Route::default().to_string(), "$");
        for bad in ["$.", "$.a[", "$.a[]", "a..b"] {
            assert!(bad.parse::<Route>().unwrap_err().contains("is no path"), "{bad}");
        }
    }
}
