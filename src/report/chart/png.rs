//! A chart as PNG: the SVG drawn with fonts that the program brings along, so that the same logs give the same
//! bytes on every machine.

use std::sync::Arc;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb::Database};

/// Pixels of the picture for one of the chart: sharp on a phone and on paper.
const SCALE: f32 = 2.0;
/// Larger pictures are refused; no chart of ours comes near.
const MOST_PIXELS: u32 = 8_000;

/// See `font/LICENSE`.
const FONTS: [&[u8]; 2] =
    [include_bytes!("font/DejaVuSans.ttf"), include_bytes!("font/DejaVuSans-Bold.ttf")];

/// Why a chart cannot be drawn.
#[derive(Debug, thiserror::Error)]
#[error("a chart cannot be drawn as PNG: {0}")]
pub struct Error(String);

/// Draws one of [`super::svg_files`], in its light colours.
///
/// # Errors
/// When it is no chart of ours.
pub fn png(svg: &str) -> Result<Vec<u8>, Error> {
    let failed = |error: &dyn std::fmt::Display| Error(error.to_string());
    let mut fonts = Database::new();
    FONTS.into_iter().for_each(|font| fonts.load_font_data(font.to_vec()));
    let options = Options {
        font_family: "DejaVu Sans".to_owned(),
        fontdb: Arc::new(fonts),
        ..Options::default()
    };
    let tree = Tree::from_str(&light(svg), &options).map_err(|error| failed(&error))?;
    let size = tree.size().to_int_size().scale_by(SCALE);
    let size = size.filter(|size| size.width().max(size.height()) <= MOST_PIXELS);
    let size = size.ok_or_else(|| failed(&"it is too large"))?;
    let mut picture =
        Pixmap::new(size.width(), size.height()).ok_or_else(|| failed(&"it is empty"))?;
    resvg::render(&tree, Transform::from_scale(SCALE, SCALE), &mut picture.as_mut());
    picture.encode_png().map_err(|error| failed(&error))
}

/// The chart with its colours in place: the library knows neither variables nor media queries, nor the
/// shorthand for a font. The style is ours; text of logs stands behind it and is left alone.
fn light(svg: &str) -> String {
    let Some((style, rest)) = svg.split_once("</style>") else { return svg.to_owned() };
    let Some((head, style)) = style.split_once("<style>") else { return svg.to_owned() };
    let rules = style.find(".chart {").map_or(style, |place| &style[place..]);
    let mut rules = rules.to_owned();
    // The first block is the light one.
    let root = style.split('}').next().unwrap_or_default();
    let root = root.split_once('{').map_or("", |(_, values)| values);
    for value in root.split(';') {
        if let Some((name, value)) = value.split_once(':') {
            rules = rules.replace(&format!("var({})", name.trim()), value.trim());
        }
    }
    if let Some((before, after)) = rules.split_once("font: 12px ")
        && let Some((_, after)) = after.split_once(';')
    {
        rules = format!("{before}font-size: 12px; font-family: \"DejaVu Sans\";{after}");
    }
    format!("{head}<style>{rules}</style>{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_has_its_colours_and_text_stays_text() {
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" width=\"40\" height=\"20\"><style>\n{}</style><rect class=\"paper\" width=\"40\" height=\"20\"/><rect class=\"bar\" width=\"10\" height=\"10\"/><text class=\"tick\" y=\"19\">var(--ink)</text></svg>",
            super::super::STYLE
        );
        let plain = light(&svg);
        assert!(!plain.contains(": var(") && plain.contains(">var(--ink)</text>"), "{plain}");
        let drawn = png(&svg).unwrap();
        let picture = Pixmap::decode_png(&drawn).unwrap();
        assert_eq!((picture.width(), picture.height()), (80, 40));
        let at = |x, y| picture.pixel(x, y).map(|it| (it.red(), it.green(), it.blue()));
        // --bar and --paper.
        assert_eq!(at(5, 5), Some((0x9f, 0xb3, 0xc8)));
        assert_eq!(at(79, 0), Some((0xff, 0xff, 0xff)));
        assert_eq!(png(&svg).unwrap(), drawn);
        assert!(png("<svg").is_err());
    }
}
