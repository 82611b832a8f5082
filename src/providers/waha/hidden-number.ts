// Asks WAHA for the number behind a hidden one.

import { z } from 'zod';
import type { FoundNumber, GatewayEndpoint } from '../chat-gateway.js';
import { reasonByStatus, isNotDone, refusedForGood, temporary } from '../answer.js';
import type { GatewayHttp } from '../http.js';
import { wahaKey } from './media.js';

const numberSchema = z.object({ pn: z.string().max(100).nullish() });
const phoneJid = /^(\d{7,15})(?::\d{1,5})?@(?:c\.us|s\.whatsapp\.net)$/;

/** Implements `ChatGateway.findNumber`. */
export async function findWahaNumber(
  http: Pick<GatewayHttp, 'call'>,
  endpoint: GatewayEndpoint,
  hiddenId: string,
  signal: AbortSignal,
): Promise<FoundNumber> {
  const answer = await http.call(endpoint, {
    method: 'GET',
    path: ['api', endpoint.instanceName, 'lids', `${hiddenId}@lid`],
    headers: wahaKey(endpoint),
    isRepeatable: true,
    signal,
  });
  if (answer.outcome === 'permanent') return answer;
  if (answer.outcome !== 'answered') return { ...answer, outcome: 'temporary' };
  const { status } = answer;
  if (status === 404) return { outcome: 'unknown' };
  if (status !== 200) {
    const reason = reasonByStatus(answer);
    // 422: the session does not work right now.
    const isPassing = status === 422 || status >= 500 || isNotDone(answer);
    return isPassing ? temporary(answer, reason) : refusedForGood(answer, reason);
  }
  const [, digits] = phoneJid.exec(numberSchema.safeParse(answer.json).data?.pn ?? '') ?? [];
  return digits === undefined ? { outcome: 'unknown' } : { outcome: 'found', digits };
}
