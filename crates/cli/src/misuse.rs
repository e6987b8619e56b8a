//! Messages about command lines that are not understood.

use crate::{exit::Exit, failure::Failure, output, report};
use clap::{
    Command, Error,
    error::{ContextKind, ContextValue, ErrorKind},
};
use std::{env, path::Path};

/// Returns `command` with options that accept values like `-1`, so that the errors name the actual fault.
pub fn with_negative_values(command: Command) -> Command {
    let command = command.mut_args(|arg| {
        let takes_values = !arg.is_positional() && arg.get_action().takes_values();
        if takes_values { arg.allow_negative_numbers(true) } else { arg }
    });
    command.mut_subcommands(with_negative_values)
}

/// Prints the requested help, or clap's `error` in this program's words; `command` is the program.
pub fn not_understood(command: Command, error: &Error) -> Exit {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            // A reader that stops early (`--help | head`) is not a failure.
            let _ = error.print();
            return Exit::Ok;
        }
        ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let words = env::args().skip(1).collect::<Vec<_>>();
            let _ = output::print(&help_of(command, &words), true);
            return Exit::Usage;
        }
        _ => {}
    }
    if error.kind() == ErrorKind::InvalidSubcommand
        && let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand)
    {
        // For clap, `help --help` names the command `--help`. Without that word, it prints the help.
        if is_help_flag(word) {
            let words = env::args_os().filter(|word| !word.to_str().is_some_and(is_help_flag));
            let parsed = with_negative_values(command).try_get_matches_from(words);
            if let Err(help) = parsed
                && help.kind() == ErrorKind::DisplayHelp
            {
                let _ = help.print();
                return Exit::Ok;
            }
        } else if Path::new(word).exists() {
            let failure = Failure::usage(format!("{word} is not a command"));
            report::complain(&failure.hint(format!("did you mean brickwork encode {word}?")));
            return Exit::Usage;
        }
    }
    let text = error.render().to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    report::complain_in_lines(&in_plain_words(text));
    Exit::Usage
}

fn is_help_flag(word: &str) -> bool {
    ["-h", "--help"].contains(&word)
}

/// Returns the help of the innermost command that `words` name.
fn help_of(mut command: Command, words: &[String]) -> String {
    command.build();
    for word in words {
        match command.find_subcommand(word).cloned() {
            Some(inner) => command = inner,
            None => break,
        }
    }
    command.render_help().to_string()
}

/// Returns `text` without programmers' terms from Rust's number parsers, from ranges, and from clap.
fn in_plain_words(text: &str) -> String {
    // `-- -1` is advice for file names. Where clap gives it, options were meant.
    let word = text.split('\'').nth(1).unwrap_or_default();
    let is_advice = |line: &&str| {
        let similar = line.contains("tip: a similar ").then(|| line.split('\'').nth(1)).flatten();
        !line.contains("tip: to pass '") && similar.is_none_or(|similar| is_typing_error(word, similar))
    };
    // With advice to use another option, clap's line of usage has that option.
    let misleads =
        text.split_inclusive('\n').any(|line| line.contains("tip: a similar argument ") && !is_advice(&line));
    let is_kept = |line: &&str| is_advice(line) && !(misleads && line.starts_with("Usage: "));
    let text: String = text.split_inclusive('\n').filter(is_kept).collect();
    let mut text = text.replace("subcommand", "command");
    while text.contains("\n\n\n") {
        text = text.replace("\n\n\n", "\n\n");
    }
    for reason in [
        "invalid digit found in string",
        "cannot parse integer from empty string",
        "number too large to fit in target type",
        "number too small to fit in target type",
    ] {
        text = text.replace(reason, "expected a whole number");
    }
    text = text.replace("invalid float literal", "expected a number");
    // `300 is not in 0..=255`
    if let Some((before, after)) = text.split_once(" is not in ")
        && let Some((range, rest)) = after.split_once('\n')
        && let Some((least, most)) = range.split_once("..=")
        && let Some((head, _)) = before.rsplit_once(' ')
    {
        let largest = [u32::MAX.to_string(), u64::MAX.to_string(), i64::MAX.to_string()];
        let range = if largest.iter().any(|largest| largest == most) {
            format!("of at least {least}")
        } else {
            format!("from {least} to {most}")
        };
        text = format!("{head} expected a whole number {range}\n{rest}");
    }
    text
}

/// True if `word` is part of `similar`, or at most a third of its characters differ. clap's own measure also
/// suggests `--step` for `--clip`.
fn is_typing_error(word: &str, similar: &str) -> bool {
    let [word, similar] = [word, similar].map(|word| word.trim_start_matches('-'));
    similar.contains(word) || 3 * strsim::levenshtein(word, similar) <= word.len().max(similar.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cli;
    use clap::CommandFactory as _;

    /// Returns the first line.
    fn said(words: &str) -> String {
        all_said(words).lines().next().unwrap().to_owned()
    }

    fn all_said(words: &str) -> String {
        let words = ["brickwork"].into_iter().chain(words.split_whitespace());
        let error = with_negative_values(Cli::command()).try_get_matches_from(words).unwrap_err();
        in_plain_words(&error.render().to_string())
    }

    #[test]
    fn what_is_wrong_with_a_value_is_said_in_words() {
        let from_0_to_255 = "for '--alpha-threshold <N>': expected a whole number";
        for value in ["-1", "x", "256", "1.5"] {
            let text = said(&format!("encode a.png --alpha-threshold {value}"));
            assert!(text.contains(from_0_to_255), "{text}");
        }
        assert!(said("encode --zstd=99 a.png").ends_with("expected a whole number from 1 to 22"));
        assert!(said("compare a b --diff c --scale 0").ends_with("expected a whole number of at least 1"));
        assert!(said("decode a.dds --level -1").contains("'--level <N|all>': expected \"all\" or a whole"));
        assert!(said("decode a.dds --level x").ends_with("expected \"all\" or a whole number"));
        assert_eq!(said("frob"), "error: unrecognized command 'frob'");
        assert!(said("volume extract a.bwv --region -1,0,0 -o b.raw").contains("'-1,0,0' for '--region"));
        assert!(said("encode a.png --rdo -1").contains("expected a number from 0 to 100"));
    }

    /// clap's own message would be: to pass '-1' as a value, use '-- -1'.
    #[test]
    fn no_advice_leads_astray() {
        for words in ["encode -1", "encode --nosuch a.png", "volume render a.bwv -o r.png --azimuth 3"] {
            let text = all_said(words);
            assert!(text.contains("unexpected argument '-"), "{text}");
            assert!(!text.contains("tip: to pass") && !text.contains("\n\n\n"), "{text}");
        }
        assert!(all_said("encode a.png --fore").contains("tip: a similar argument exists: '--force'"));
        assert!(all_said("volume x").contains("tip: a similar command exists: 'extract'"));
        for word in ["--clip", "--mip", "--slop"] {
            let text = all_said(&format!("volume render a.bwv -o r.png {word} 1"));
            assert!(text.contains("unexpected argument") && !text.contains("tip: a similar"), "{text}");
            assert!(!text.contains("\n\n\n"), "{text}");
        }
        // clap means `--real-time`.
        let text = all_said("encode --generate-mipmap a.png");
        assert!(!text.contains("--real-time") && text.contains("found\n\nFor more information"), "{text}");
    }

    #[test]
    fn help_is_that_of_the_command_in_question() {
        let help = |words: &[&str]| {
            let words: Vec<_> = words.iter().map(|word| (*word).to_owned()).collect();
            help_of(Cli::command(), &words)
        };
        assert!(help(&["volume"]).contains("Usage: brickwork volume"));
        assert!(help(&[]).contains("Usage: brickwork [OPTIONS] <COMMAND>"));
    }
}
