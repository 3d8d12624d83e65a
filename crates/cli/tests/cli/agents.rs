//! `yarra agents`.

use serde_json::Value;

use crate::room::prints;

#[test]
fn agents_of_reports_tell_where_they_differ_and_why() {
    for (game, n_agents) in [("infexion", 8), ("tetress", 5), ("cachex", 3)] {
        let text = prints(&["agents", game]);
        let lines = prints(&["agents", game, "--json"]);
        let infos: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let of_reports = infos.iter().filter(|info| info["source"].as_str().unwrap().starts_with("report"));
        let with_differences: Vec<&Value> =
            of_reports.filter(|info| !info["differs"].as_array().unwrap().is_empty()).collect();
        assert!(n_agents - 1 <= with_differences.len(), "{game}: {}", with_differences.len());
        for difference in with_differences.iter().flat_map(|info| info["differs"].as_array().unwrap()) {
            let difference = difference.as_str().unwrap();
            assert!(text.contains(&format!("\n    - {difference}\n")), "{difference}");
        }
    }
}
