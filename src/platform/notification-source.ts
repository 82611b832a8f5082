// What wakes other processes, whatever carries it.

/** A way to the other processes. What is sent may be lost. */
export interface NotificationSource {
  /** Begins to hear others, and goes on trying by itself. */
  start(onText: (text: string) => void): Promise<void>;
  stop(): Promise<void>;
  /** Rejects where it did not get through. */
  send(text: string): Promise<void>;
}
