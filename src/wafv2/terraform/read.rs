//! HCL text to resources. Literals, locals and defaults of variables are evaluated; everything else
//! that is not known before Terraform runs is a reference.

use std::collections::BTreeMap;

use hcl::eval::{Context, Evaluate as _, FuncArgs, FuncDef, ParamType};
use hcl::{Block, Body, Expression, Map, ObjectKey, Structure};
use serde_json::Value;

use super::{ReadError, Resource};

/// Arguments that Terraform keeps for itself.
const META: [&str; 6] = ["provider", "depends_on", "count", "for_each", "lifecycle", "provisioner"];
/// Locals may name each other; deeper chains than this are not evaluated.
const ROUNDS: usize = 8;

/// Reads the resources of a file, in its order. Data sources are none.
///
/// # Errors
/// When it is no HCL, or when a resource is repeated (`count`, `for_each`) or has a `dynamic` block.
pub fn read_hcl(text: &str) -> Result<Vec<Resource>, ReadError> {
    let body = hcl::parse(text).map_err(|error| ReadError::Syntax(first_line(&error)))?;
    let context = context(&body);
    let resources = body.blocks().filter(|block| block.identifier() == "resource");
    resources.map(|block| resource(block, &context)).collect()
}

fn first_line(error: &dyn std::fmt::Display) -> String {
    let text = error.to_string();
    text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim().to_owned()
}

fn context(body: &Body) -> Context<'static> {
    let blocks = |name: &'static str| body.blocks().filter(move |block| block.identifier() == name);
    let mut variables = Map::new();
    for block in blocks("variable") {
        let default = block.body.attributes().find(|attribute| attribute.key() == "default");
        let Some(name) = block.labels().first() else { continue };
        if let Some(value) = default.and_then(|it| it.expr().evaluate(&Context::new()).ok()) {
            variables.insert(name.as_str().to_owned(), value);
        }
    }
    let mut locals: Map<String, hcl::Value> = Map::new();
    let mut context = with(&variables, &locals);
    for _ in 0..ROUNDS {
        let before = locals.len();
        for attribute in blocks("locals").flat_map(|block| block.body.attributes()) {
            if let Ok(value) = attribute.expr().evaluate(&context) {
                locals.insert(attribute.key().to_owned(), value);
            }
        }
        if locals.len() == before {
            break;
        }
        context = with(&variables, &locals);
    }
    context
}

fn with(variables: &Map<String, hcl::Value>, locals: &Map<String, hcl::Value>) -> Context<'static> {
    let mut context = Context::new();
    context.declare_var("var", hcl::Value::Object(variables.clone()));
    context.declare_var("local", hcl::Value::Object(locals.clone()));
    declare_functions(&mut context);
    context
}

/// The functions of Terraform's that can be evaluated here: `jsonencode` and `format`.
pub fn declare_functions(context: &mut Context<'_>) {
    let encode = FuncDef::builder().param(ParamType::Any).build(|arguments: FuncArgs| {
        serde_json::to_string(&arguments[0]).map(Into::into).map_err(|error| error.to_string())
    });
    context.declare_func("jsonencode", encode);
    let format = FuncDef::builder()
        .param(ParamType::String)
        .variadic_param(ParamType::Any)
        .build(|arguments: FuncArgs| format(&arguments));
    context.declare_func("format", format);
}

/// Terraform's `format` with `%d`, `%s` and `%%`; what has other verbs stays a reference.
fn format(arguments: &[hcl::Value]) -> Result<hcl::Value, String> {
    let Some((hcl::Value::String(pattern), values)) = arguments.split_first() else {
        return Err("no text".to_owned());
    };
    let mut values = values.iter();
    let mut out = String::new();
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        if character != '%' {
            out.push(character);
            continue;
        }
        match (characters.next(), values.as_slice().first()) {
            (Some('%'), _) => {
                out.push('%');
                continue;
            }
            (Some('d'), Some(hcl::Value::Number(number))) => out.push_str(&number.to_string()),
            (Some('s'), Some(hcl::Value::String(text))) => out.push_str(text),
            (verb, value) => return Err(format!("{verb:?} of {value:?}")),
        }
        values.next();
    }
    if values.next().is_some() { Err("too many values".to_owned()) } else { Ok(out.into()) }
}

fn resource(block: &Block, context: &Context<'_>) -> Result<Resource, ReadError> {
    let label = |place: usize| {
        block.labels().get(place).map(|label| label.as_str().to_owned()).unwrap_or_default()
    };
    let mut reader = Reader {
        context,
        address: format!("{}.{}", label(0), label(1)),
        references: BTreeMap::new(),
    };
    for name in ["count", "for_each"] {
        if block.body.attributes().any(|attribute| attribute.key() == name) {
            return Err(reader.dynamic(format!("`{name}`")));
        }
    }
    let values = reader.body(&block.body, "", true)?;
    Ok(Resource {
        module: String::new(),
        kind: label(0),
        label: label(1),
        values,
        references: reader.references,
    })
}

struct Reader<'a> {
    context: &'a Context<'a>,
    address: String,
    references: BTreeMap<String, String>,
}

impl Reader<'_> {
    fn dynamic(&self, what: String) -> ReadError {
        ReadError::Dynamic { address: self.address.clone(), what }
    }

    fn body(&mut self, body: &Body, at: &str, top: bool) -> Result<Value, ReadError> {
        let mut members = serde_json::Map::new();
        for structure in body {
            match structure {
                Structure::Attribute(attribute) => {
                    let name = attribute.key();
                    if top && META.contains(&name) {
                        continue;
                    }
                    let value = self.value(attribute.expr(), &format!("{at}/{name}"));
                    members.insert(name.to_owned(), value);
                }
                Structure::Block(block) => {
                    let name = block.identifier();
                    if top && META.contains(&name) {
                        continue;
                    }
                    if name == "dynamic" {
                        return Err(self.dynamic("a `dynamic` block".to_owned()));
                    }
                    let list = members.entry(name).or_insert_with(|| Value::Array(Vec::new()));
                    let Value::Array(list) = list else {
                        return Err(ReadError::Twice(name.to_owned()));
                    };
                    let at = format!("{at}/{name}/{}", list.len());
                    list.push(self.body(&block.body, &at, false)?);
                }
            }
        }
        Ok(Value::Object(members))
    }

    fn value(&mut self, expression: &Expression, at: &str) -> Value {
        let json = expression.evaluate(self.context).ok().and_then(|value| {
            // Through text, as both sides have their own idea of a number.
            serde_json::to_value(value).ok()
        });
        if let Some(json) = json {
            return json;
        }
        match expression {
            Expression::Array(items) => items
                .iter()
                .enumerate()
                .map(|(place, item)| self.value(item, &format!("{at}/{place}")))
                .collect(),
            Expression::Object(object) => {
                let mut members = serde_json::Map::new();
                for (key, value) in object {
                    let key = match key {
                        ObjectKey::Identifier(name) => name.to_string(),
                        ObjectKey::Expression(Expression::String(text)) => text.clone(),
                        other => other.to_string(),
                    };
                    let at = format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"));
                    members.insert(key, self.value(value, &at));
                }
                Value::Object(members)
            }
            other => {
                self.references.insert(at.to_owned(), other.to_string());
                Value::Null
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn formatted(pattern: &str, values: &[hcl::Value]) -> Option<String> {
        let mut arguments = vec![hcl::Value::from(pattern)];
        arguments.extend_from_slice(values);
        format(&arguments).ok().and_then(|value| value.as_str().map(str::to_owned))
    }

    #[test]
    fn texts_are_formatted_like_terraform_does() {
        let number = || hcl::Value::from(300);
        let text = |text: &str| hcl::Value::from(text);
        assert_eq!(formatted("q=%d;w=%d", &[number(), number()]).unwrap(), "q=300;w=300");
        assert_eq!(formatted("%s is 5%%", &[text("%d")]).unwrap(), "%d is 5%");
        for (pattern, values) in
            [("%x", vec![number()]), ("%d", vec![]), ("a", vec![number()]), ("%d", vec![text("a")])]
        {
            assert_eq!(formatted(pattern, &values), None, "{pattern}");
        }
    }

    #[test]
    fn what_only_terraform_knows_is_a_reference() {
        let read = read_hcl(
            "locals {\n  a = 1\n}\nresource \"x\" \"y\" {\n  known = format(\"%d\", local.a)\n  later = z.w.arn\n  list  = [local.a, file(\"/etc/passwd\")]\n}\n",
        )
        .unwrap();
        let [resource] = read.as_slice() else { panic!("one resource") };
        assert_eq!(
            resource.values,
            serde_json::json!({"known": "1", "later": null, "list": [1, null]})
        );
        let places: Vec<&str> = resource.references.keys().map(String::as_str).collect();
        assert_eq!(places, ["/later", "/list/1"]);
        assert_eq!(resource.references["/later"], "z.w.arn");
    }

    #[test]
    fn what_is_repeated_is_left_to_the_plan() {
        for inside in ["count = 2", "for_each = local.a", "dynamic \"b\" {\n}"] {
            let text = format!("resource \"x\" \"y\" {{\n{inside}\n}}\n");
            assert!(matches!(read_hcl(&text), Err(ReadError::Dynamic { .. })), "{inside}");
        }
        assert!(matches!(read_hcl("resource {"), Err(ReadError::Syntax(_))));
    }
}
