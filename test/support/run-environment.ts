// The variables of a run that a process gets whose environment is otherwise its own.

const inherited = ['PATH', 'LD_PRELOAD', 'CLOCK_SHIFT_S'];

/** The path of programs and, in a run at another time of day, its clock. */
export const runEnvironment: Readonly<Record<string, string>> = Object.fromEntries(
  inherited.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
);
