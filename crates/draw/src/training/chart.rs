//! Line charts as SVG.

use std::fmt::Write as _;

use super::escaped;

/// A chart of some curves over the same axis.
#[derive(Clone, Debug, Default)]
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// What the horizontal axis measures.
    pub across: String,
    /// The curves.
    pub curves: Vec<Curve>,
    /// The vertical range, if it is fixed.
    pub range: Option<(f64, f64)>,
}

/// A curve of a chart.
#[derive(Clone, Debug, Default)]
pub struct Curve {
    /// Its name in the legend.
    pub name: String,
    /// Its points, from left to right.
    pub points: Vec<(f64, f64)>,
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 260.0;
/// Room for the numbers: left, right, top, bottom.
const MARGINS: [f64; 4] = [58.0, 14.0, 12.0, 40.0];
/// Told apart without red and green, and by their dashes.
const COLORS: [&str; 6] = ["#2f62c8", "#c8432f", "#2e7d4f", "#a97a00", "#7b3fa0", "#4a4a4a"];
const DASHES: [&str; 3] = ["", "6 4", "2 3"];

impl Chart {
    /// The chart with its legend; a sentence if there is nothing to draw.
    pub fn html(&self) -> String {
        let title = escaped(&self.title);
        let points: Vec<(f64, f64)> =
            self.curves.iter().flat_map(|curve| curve.points.iter().copied()).collect();
        if points.is_empty() {
            return format!("<figure><figcaption>{title}: nothing measured yet</figcaption></figure>\n");
        }
        let across = Axis::new(points.iter().map(|point| point.0), None);
        let up = Axis::new(points.iter().map(|point| point.1), self.range);
        let [left, right, top, bottom] = MARGINS;
        let x = |value: f64| left + across.share(value) * (WIDTH - left - right);
        let y = |value: f64| HEIGHT - bottom - up.share(value) * (HEIGHT - top - bottom);
        let mut svg = String::new();
        for tick in up.ticks() {
            let (at, text) = (y(tick), up.text(tick));
            let _ = write!(svg, r#"<path class="grid" d="M{left} {at:.1}H{:.0}"/>"#, WIDTH - right);
            let _ =
                write!(svg, r#"<text x="{:.0}" y="{:.1}" class="up">{text}</text>"#, left - 8.0, at + 4.0);
        }
        for tick in across.ticks() {
            let (at, text) = (x(tick), across.text(tick));
            let _ = write!(svg, r#"<text x="{at:.1}" y="{:.0}" class="across">{text}</text>"#, HEIGHT - 22.0);
        }
        let middle = (left + WIDTH - right) / 2.0;
        let label = escaped(&self.across);
        let _ = write!(svg, r#"<text x="{middle:.0}" y="{:.0}" class="across">{label}</text>"#, HEIGHT - 5.0);
        let mut legend = String::new();
        for (idx, curve) in self.curves.iter().enumerate().filter(|(_, curve)| !curve.points.is_empty()) {
            let (color, dash) = (COLORS[idx % COLORS.len()], DASHES[idx / COLORS.len() % DASHES.len()]);
            let mut path = String::new();
            for (n, &(across, up)) in curve.points.iter().enumerate() {
                let _ = write!(path, "{}{:.1} {:.1}", if n == 0 { 'M' } else { 'L' }, x(across), y(up));
            }
            let _ =
                write!(svg, r#"<path class="curve" stroke="{color}" stroke-dasharray="{dash}" d="{path}"/>"#);
            let &(last_across, last_up) = &curve.points[curve.points.len() - 1];
            let (cx, cy) = (x(last_across), y(last_up));
            let _ = write!(svg, r#"<circle cx="{cx:.1}" cy="{cy:.1}" r="3" fill="{color}"/>"#);
            let (name, last) = (escaped(&curve.name), up.text_near(last_up));
            let _ = write!(legend, r#"<span><i style="background:{color}"></i>{name} {last}</span> "#);
        }
        format!(
            "<figure><figcaption>{title}</figcaption><svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" \
             aria-label=\"{title}\">{svg}</svg><p class=\"legend\">{legend}</p></figure>\n"
        )
    }
}

/// A range of values with round ticks.
struct Axis {
    low: f64,
    high: f64,
    step: f64,
}

impl Axis {
    fn new(values: impl Iterator<Item = f64>, range: Option<(f64, f64)>) -> Axis {
        let found = values.filter(|value| value.is_finite());
        let found = found.fold(None, |range: Option<(f64, f64)>, value| {
            let (low, high) = range.unwrap_or((value, value));
            Some((low.min(value), high.max(value)))
        });
        let (low, high) = range.or(found).unwrap_or((0.0, 1.0));
        let room = if low < high { high - low } else { high.abs().max(1.0) };
        let raw = room / 4.0;
        let power = 10_f64.powf(raw.log10().floor());
        let step =
            power * [1.0, 2.0, 5.0, 10.0].into_iter().find(|&step| raw <= step * power).unwrap_or(10.0);
        Axis {
            low: (low / step).floor() * step,
            high: (high / step).ceil().max(low / step + 1.0) * step,
            step,
        }
    }

    fn share(&self, value: f64) -> f64 {
        ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    fn ticks(&self) -> impl Iterator<Item = f64> {
        let n = ((self.high - self.low) / self.step).round() as u32;
        (0..=n).map(|idx| self.low + f64::from(idx) * self.step)
    }

    fn digits(&self) -> usize {
        (-self.step.log10().floor()).clamp(0.0, 6.0) as usize
    }

    fn text(&self, value: f64) -> String {
        format!("{value:.*}", self.digits())
    }

    /// A value between ticks.
    fn text_near(&self, value: f64) -> String {
        format!("{value:.*}", self.digits() + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_have_round_ticks_around_all_values() {
        for (values, ticks) in [
            (vec![0.0, 100.0], vec![0.0, 50.0, 100.0]),
            (vec![3.0, 3.0], vec![3.0, 4.0]),
            (vec![-0.3, 0.9], vec![-0.5, 0.0, 0.5, 1.0]),
        ] {
            let axis = Axis::new(values.iter().copied(), None);
            let found: Vec<f64> = axis.ticks().collect();
            assert!(found[0] <= values[0] && values[1] <= found[found.len() - 1], "{found:?}");
            assert!(
                ticks.iter().all(|tick| found.iter().any(|other| (tick - other).abs() < 1e-9)),
                "{found:?}"
            );
        }
    }

    #[test]
    fn a_chart_draws_every_curve_and_escapes_names() {
        let curve = |name: &str, points: &[(f64, f64)]| Curve { name: name.into(), points: points.to_vec() };
        let curves =
            vec![curve("a<b", &[(0.0, 1.0), (1.0, f64::NAN), (2.0, 3.0)]), curve("one", &[(1.0, 2.0)])];
        let chart = Chart { title: "Loss".into(), across: "minutes".into(), curves, range: None };
        let html = chart.html();
        assert_eq!(html.matches("class=\"curve\"").count(), 2);
        assert!(html.contains("a&lt;b") && !html.contains("a<b"));
        assert!(Chart::default().html().contains("nothing measured"));
    }
}
