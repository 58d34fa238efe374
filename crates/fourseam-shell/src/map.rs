//! An ordered map that shares its nodes: a copy costs nothing, a change copies the path to it.

use std::cmp::Ordering;
use std::rc::Rc;

/// Keys to values. Balanced, so that no order of insertion makes it deep.
#[derive(Debug)]
pub(crate) struct Map<V>(Option<Rc<Node<V>>>);

#[derive(Debug)]
struct Node<V> {
    key: Rc<str>,
    value: V,
    height: u8,
    left: Map<V>,
    right: Map<V>,
}

impl<V> Clone for Map<V> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<V> Default for Map<V> {
    fn default() -> Self {
        Self(None)
    }
}

impl<V: Clone> Map<V> {
    pub(crate) fn get(&self, key: &str) -> Option<&V> {
        let mut map = self;
        while let Some(node) = &map.0 {
            map = match key.cmp(&node.key) {
                Ordering::Less => &node.left,
                Ordering::Greater => &node.right,
                Ordering::Equal => return Some(&node.value),
            };
        }
        None
    }

    /// The map with `value` under `key`.
    pub(crate) fn with(&self, key: &Rc<str>, value: V) -> Self {
        let Some(node) = &self.0 else {
            return Self::node(Rc::clone(key), value, Self(None), Self(None));
        };
        match key.cmp(&node.key) {
            Ordering::Equal => Self::node(Rc::clone(key), value, node.left.clone(), node.right.clone()),
            Ordering::Less => Self::balanced(node, node.left.with(key, value), node.right.clone()),
            Ordering::Greater => Self::balanced(node, node.left.clone(), node.right.with(key, value)),
        }
    }

    /// Every key with its value, in order.
    pub(crate) fn for_each(&self, visit: &mut impl FnMut(&Rc<str>, &V)) {
        if let Some(node) = &self.0 {
            node.left.for_each(visit);
            visit(&node.key, &node.value);
            node.right.for_each(visit);
        }
    }

    fn node(key: Rc<str>, value: V, left: Self, right: Self) -> Self {
        let height = left.height().max(right.height()) + 1;
        Self(Some(Rc::new(Node { key, value, height, left, right })))
    }

    fn height(&self) -> u8 {
        self.0.as_ref().map_or(0, |node| node.height)
    }

    /// A node like `node` with these children, rotated if one has become too high.
    fn balanced(node: &Node<V>, left: Self, right: Self) -> Self {
        let (key, value) = (Rc::clone(&node.key), node.value.clone());
        if left.height() > right.height() + 1
            && let Some(high) = &left.0
        {
            return high.lifted_from_left(key, value, right);
        }
        if right.height() > left.height() + 1
            && let Some(high) = &right.0
        {
            return high.lifted_from_right(key, value, left);
        }
        Self::node(key, value, left, right)
    }
}

impl<V: Clone> Node<V> {
    fn lifted_from_left(&self, key: Rc<str>, value: V, right: Map<V>) -> Map<V> {
        match &self.right.0 {
            Some(inner) if inner.height > self.left.height() => Map::node(
                Rc::clone(&inner.key),
                inner.value.clone(),
                Map::node(Rc::clone(&self.key), self.value.clone(), self.left.clone(), inner.left.clone()),
                Map::node(key, value, inner.right.clone(), right),
            ),
            _ => Map::node(
                Rc::clone(&self.key),
                self.value.clone(),
                self.left.clone(),
                Map::node(key, value, self.right.clone(), right),
            ),
        }
    }

    fn lifted_from_right(&self, key: Rc<str>, value: V, left: Map<V>) -> Map<V> {
        match &self.left.0 {
            Some(inner) if inner.height > self.right.height() => Map::node(
                Rc::clone(&inner.key),
                inner.value.clone(),
                Map::node(key, value, left, inner.left.clone()),
                Map::node(Rc::clone(&self.key), self.value.clone(), inner.right.clone(), self.right.clone()),
            ),
            _ => Map::node(
                Rc::clone(&self.key),
                self.value.clone(),
                Map::node(key, value, left, self.left.clone()),
                self.right.clone(),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stays_balanced_and_keeps_old_copies() {
        let mut map = Map::default();
        let mut old = Map::default();
        for number in 0..2_000 {
            map = map.with(&Rc::from(format!("{number:05}")), number);
            if number == 999 {
                old = map.clone();
            }
        }
        assert!(map.height() <= 15, "{}", map.height());
        assert_eq!(map.get("01500"), Some(&1_500));
        assert_eq!(old.get("01500"), None);
        assert_eq!(old.get("00999"), Some(&999));
        let mut keys = Vec::new();
        map.for_each(&mut |key, _| keys.push(key.to_string()));
        assert!(keys.is_sorted() && keys.len() == 2_000);
    }
}
