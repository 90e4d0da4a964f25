//! One stream, or several files.

use super::super::hcl::Content;
use super::{Terraform, head};

/// Where a part stands when the text is split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum File {
    /// Rules, IP sets, the web ACL, its logs and associations.
    Waf,
    /// Alarms, their topic and the dashboard.
    Alarms,
    /// The way around CloudFront, closed.
    Guard,
    /// Permissions.
    Iam,
    /// Variables.
    Variables,
    /// Outputs.
    Outputs,
    /// Terraform, the provider, the Region.
    Versions,
}

/// The names of all files that a split text may have.
pub const FILES: [&str; 7] =
    ["waf.tf", "alarms.tf", "guard.tf", "iam.tf", "variables.tf", "outputs.tf", "versions.tf"];

impl File {
    const ALL: [Self; 7] = [
        Self::Waf,
        Self::Alarms,
        Self::Guard,
        Self::Iam,
        Self::Variables,
        Self::Outputs,
        Self::Versions,
    ];
}

/// The parts, in the order of one stream.
#[derive(Default)]
pub(super) struct Files {
    parts: Vec<(File, Content)>,
}

impl Files {
    /// A new part, for one of the files.
    pub(super) fn part(&mut self, file: File, fill: impl FnOnce(&mut Content)) {
        let mut content = Content::default();
        fill(&mut content);
        self.parts.push((file, content));
    }

    /// Names and contents: of `waf.tf` alone, or of all files that hold something.
    pub(super) fn contents(self, terraform: &Terraform<'_>) -> Vec<(&'static str, Content)> {
        if !terraform.options.is_split {
            let mut all = Content::default();
            head::write(terraform, &mut all);
            self.parts.into_iter().for_each(|(_, part)| all.append(part));
            return vec![(FILES[0], all)];
        }
        let names = File::ALL.into_iter().zip(FILES);
        names
            .filter_map(|(file, name)| {
                let mut content = Content::default();
                if file == File::Waf {
                    head::write(terraform, &mut content);
                } else {
                    head::short(terraform, &mut content);
                }
                let parts = self.parts.iter().filter(|(of, part)| *of == file && !part.is_empty());
                let before = content.clone();
                parts.for_each(|(_, part)| content.append(part.clone()));
                (content != before).then_some((name, content))
            })
            .collect()
    }
}
