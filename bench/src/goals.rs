//! Brickwork's goals, and whether they are met.

use crate::{
    measure::Measurement,
    peers::Role,
    table::{Column, Table},
};
use brickwork_texture::Quality;

/// The goal of one quality on the odd Kodak images.
struct Goal {
    role: Role,
    /// RGB PSNR in dB under the decoder that is encoded for.
    psnr_db: f64,
    speed: Option<SpeedGoal>,
}

struct SpeedGoal {
    peer: Role,
    /// Multiple of the peer's speed.
    factor: f64,
    /// The multiple that is hoped for, where there is one.
    stretch: Option<f64>,
}

const GOALS: [Goal; 6] = [
    Goal {
        role: Role::Exact(Quality::Ultrafast),
        psnr_db: 36.00,
        speed: Some(SpeedGoal { peer: Role::RangeFit, factor: 4.0, stretch: Some(10.0) }),
    },
    Goal {
        role: Role::Exact(Quality::Fast),
        psnr_db: 36.40,
        speed: Some(SpeedGoal { peer: Role::ClusterFit, factor: 20.0, stretch: None }),
    },
    Goal {
        role: Role::Exact(Quality::Normal),
        psnr_db: 36.51,
        speed: Some(SpeedGoal { peer: Role::ClusterFit, factor: 8.0, stretch: Some(16.0) }),
    },
    Goal {
        role: Role::Exact(Quality::High),
        psnr_db: 36.55,
        speed: Some(SpeedGoal { peer: Role::ClusterFit, factor: 2.0, stretch: None }),
    },
    Goal {
        role: Role::Exact(Quality::Best),
        psnr_db: 36.59,
        speed: Some(SpeedGoal { peer: Role::ClusterFit, factor: 0.3, stretch: None }),
    },
    Goal { role: Role::Trunc(Quality::Best), psnr_db: 36.585, speed: None },
];

/// Returns every goal with its measurement.
pub fn table(measurements: &[Measurement]) -> Table {
    use Column::{Number, Text};
    let mut table = Table::new(&[
        Text("encoder"),
        Text("what"),
        Number("must reach"),
        Number("measured"),
        Text("reached"),
    ]);
    let find = |role: Role| measurements.iter().find(|measurement| measurement.role == role);
    let verdict = |reached: bool| if reached { "yes" } else { "**no**" }.to_owned();
    for goal in &GOALS {
        let Some(ours) = find(goal.role) else { continue };
        let (decoder, psnr_db) = match goal.role {
            Role::Trunc(_) => ("trunc", ours.trunc_db),
            _ => ("exact", ours.exact_db),
        };
        table.push([
            ours.name.clone(),
            format!("RGB PSNR, {decoder}, dB"),
            format!("{:.3}", goal.psnr_db),
            format!("{psnr_db:.3}"),
            verdict(psnr_db >= goal.psnr_db),
        ]);
        let Some(speed) = &goal.speed else { continue };
        let Some(peer) = find(speed.peer) else { continue };
        let measured = ours.speed_against(peer);
        let factors = [(speed.factor, "")].into_iter().chain(speed.stretch.map(|f| (f, " (stretch)")));
        for (factor, suffix) in factors {
            table.push([
                ours.name.clone(),
                format!("speed ÷ {}{suffix}", peer.name),
                format!("{factor:.2}"),
                format!("{measured:.2}"),
                verdict(measured >= factor),
            ]);
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measurement(role: Role, psnr_db: f64, speed: f64) -> Measurement {
        Measurement {
            name: format!("{role:?}"),
            role,
            exact_db: psnr_db,
            trunc_db: 0.0,
            mpix_s: vec![Some(speed)],
            faults: vec![],
        }
    }

    #[test]
    fn a_goal_missed_says_no() {
        let text = table(&[
            measurement(Role::Exact(Quality::Ultrafast), 35.9996, 50.0),
            measurement(Role::Exact(Quality::Fast), 36.4, 39.9),
            measurement(Role::RangeFit, 0.0, 10.0),
            measurement(Role::ClusterFit, 0.0, 2.0),
        ])
        .to_markdown();
        let verdicts: Vec<_> =
            text.lines().skip(2).map(|line| line.split('|').rev().nth(1).unwrap().trim()).collect();
        // (35.9996 is printed as 36.000, and is still less.)
        assert_eq!(verdicts, ["**no**", "yes", "**no**", "yes", "**no**"], "{text}");
    }
}
