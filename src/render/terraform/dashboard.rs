//! The dashboard.

use super::super::hcl::{call, list, number, object, text};
use super::Terraform;
use super::files::{File, Files};
use crate::stack::{Graph, WafMetric};

pub(super) fn write(terraform: &Terraform<'_>, files: &mut Files) {
    let Some(dashboard) = &terraform.stack.dashboard else { return };
    let label = format!("{}_limits", terraform.labels.set);
    let graphs = (0_u32..).zip(&dashboard.graphs);
    let widgets = graphs.map(|(place, graph)| widget(terraform, place, graph));
    let body = object([("widgets", list(widgets))]);
    files.part(File::Alarms, |file| {
        file.block("resource", &["aws_cloudwatch_dashboard", &label], |resource| {
            // A dashboard has no Region of its own; its graphs have.
            terraform.everywhere(resource);
            resource.attribute("dashboard_name", text(&dashboard.name));
            resource.attribute("dashboard_body", call("jsonencode", body));
        });
    });
}

fn widget(terraform: &Terraform<'_>, place: u32, graph: &Graph) -> ::hcl::Expression {
    let metrics = graph.metrics.iter().map(|(label, metric)| {
        let mut parts = vec![text(WafMetric::NAMESPACE), text(metric.name)];
        for one in &metric.dimensions {
            parts.push(text(one.name));
            parts.push(terraform.value(&one.value));
        }
        parts.push(object([("label", text(label))]));
        list(parts)
    });
    let properties = object([
        ("title", text(&graph.title)),
        ("region", text(&graph.region)),
        ("view", text("timeSeries")),
        ("stat", text("Sum")),
        ("period", number(graph.period)),
        ("metrics", list(metrics)),
    ]);
    object([
        ("type", text("metric")),
        ("x", number(0_u32)),
        ("y", number(place * Graph::HEIGHT)),
        ("width", number(Graph::WIDTH)),
        ("height", number(Graph::HEIGHT)),
        ("properties", properties),
    ])
}
