//! The dashboard as the JSON document that AWS takes.

use serde_json::json;

use crate::stack::{Dashboard, Graph, Resource, Stack, Value, WafMetric};

/// The document of a dashboard. Every dimension in it is a name of ours.
pub(super) fn body(dashboard: &Dashboard, stack: &Stack) -> String {
    let graphs = (0_u32..).zip(&dashboard.graphs);
    let widgets: Vec<_> = graphs.map(|(place, graph)| widget(stack, place, graph)).collect();
    json!({ "widgets": widgets }).to_string()
}

fn widget(stack: &Stack, place: u32, graph: &Graph) -> serde_json::Value {
    let metrics: Vec<_> = graph
        .metrics
        .iter()
        .map(|(label, metric)| {
            let mut parts = vec![json!(WafMetric::NAMESPACE), json!(metric.name)];
            for one in &metric.dimensions {
                let value = match &one.value {
                    Value::Plain(text) => text,
                    Value::Of(Resource::RuleGroup(name), _) => name,
                    Value::Of(..) => stack.acl.web_acl(),
                };
                parts.extend([json!(one.name), json!(value)]);
            }
            parts.push(json!({ "label": label }));
            parts
        })
        .collect();
    json!({
        "type": "metric", "x": 0, "y": place * Graph::HEIGHT,
        "width": Graph::WIDTH, "height": Graph::HEIGHT,
        "properties": {
            "title": graph.title, "region": graph.region, "view": "timeSeries", "stat": "Sum",
            "period": graph.period, "metrics": metrics,
        },
    })
}
