//! Three numbers, and matrices of three rows, for cameras.

/// A place or a direction.
pub type Vector = [f64; 3];

pub fn sum(a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|i| a[i] + b[i])
}

pub fn scaled(a: Vector, by: f64) -> Vector {
    a.map(|x| x * by)
}

pub fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub fn unit(a: Vector) -> Vector {
    scaled(a, 1.0 / dot(a, a).sqrt())
}

/// Rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Matrix(pub [Vector; 3]);

impl Matrix {
    pub fn of_columns(columns: [Vector; 3]) -> Self {
        Self(std::array::from_fn(|row| columns.map(|column| column[row])))
    }

    pub fn times(&self, vector: Vector) -> Vector {
        self.0.map(|row| dot(row, vector))
    }

    pub fn transposed(&self) -> Self {
        Self::of_columns(self.0)
    }

    /// Returns the inverse; `None` if the columns do not span space, or almost do not.
    pub fn inverse(&self) -> Option<Self> {
        let Self([a, b, c]) = *self;
        let volume = dot(a, cross(b, c));
        let lengths = self.transposed().0.map(|column| dot(column, column).sqrt());
        let most: f64 = lengths.iter().product();
        // This also refuses NaN.
        if !(volume.abs() > 1e-6 * most && volume.is_finite() && most.is_finite()) {
            return None;
        }
        Some(Self::of_columns([cross(b, c), cross(c, a), cross(a, b)].map(|v| scaled(v, 1.0 / volume))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverses_undo() {
        let matrix = Matrix([[2.0, 0.5, 0.0], [0.0, 3.0, -1.0], [0.25, 0.0, 4.0]]);
        let back = matrix.inverse().expect("it spans space").times(matrix.times([1.0, -2.0, 3.0]));
        assert!(sum(back, [-1.0, 2.0, -3.0]).into_iter().all(|x| x.abs() < 1e-12));
        assert_eq!(Matrix::of_columns([[1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]).inverse(), None);
        assert_eq!(Matrix([[f64::NAN; 3]; 3]).inverse(), None);
    }
}
