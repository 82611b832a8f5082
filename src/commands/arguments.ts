// The arguments of a command that takes none, or a few bare options: `--help` prints the usage, and anything else is refused.

export interface BareArguments {
  usage: string;
  /** The options that the command reads itself. None by default. */
  options?: readonly string[];
}

/** @returns the exit code with which the command ends at once; undefined if it goes on */
export function answerArguments(args: readonly string[], { usage, options = [] }: BareArguments): number | undefined {
  if (args.includes('--help')) {
    // A reader that closes the pipe early (`head`) is not an error.
    process.stdout.on('error', () => undefined).write(usage);
    return 0;
  }
  const unknown = args.find((argument) => !options.includes(argument));
  if (unknown === undefined) return undefined;
  process.stderr.write(`There is no argument ${unknown}.\n\n${usage}`);
  return 2;
}
