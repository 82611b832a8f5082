// A gateway's webhook call about messages that were written on the phone. It is the shortest way over the wire to outbound messages whose
// provider id is known. They are SENT from the beginning.

export interface PhoneMessage {
  externalId: string;
  /** The recipient's number: digits with country code. */
  to: string;
  text?: string;
}

/** Whole seconds since 1970, the unit of that gateway's times. */
export const writtenAtSeconds = 1_773_027_300;

/** The body of the call, in Evolution's dialect. */
export function phoneCall(instance: string, messages: readonly PhoneMessage[]): object {
  const data = messages.map(({ externalId, to, text = 'Oi' }) => ({
    key: { remoteJid: `${to}@s.whatsapp.net`, fromMe: true, id: externalId },
    status: 'SERVER_ACK',
    message: { conversation: text },
    messageType: 'conversation',
    messageTimestamp: writtenAtSeconds,
  }));
  return { event: 'messages.upsert', instance, data: data.length === 1 ? data[0] : data };
}
