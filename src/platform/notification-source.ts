// What carries notifications to other processes.

/** A way to the other processes. What is sent may be lost. */
export interface NotificationSource {
  /** Starts to listen, and reconnects by itself. */
  start(onText: (text: string) => void): Promise<void>;
  stop(): Promise<void>;
  /** Rejects where it did not get through. */
  send(text: string): Promise<void>;
}
