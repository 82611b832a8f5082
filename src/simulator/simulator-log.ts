// Owns the one thing the simulator asks of a logger. A pino logger fits as it is.

/** Where the simulator writes. It never passes a token, a key, a secret or what a message says. */
export interface SimulatorLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Writes nothing. */
export const silentLog: SimulatorLog = { info: () => {}, warn: () => {}, error: () => {} };
