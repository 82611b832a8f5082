// Each part that the network's messages may hold is sorted. The names are those of `proto.Message` in the WAProto of Baileys
// 7.0.0-rc13 (network version 2.3000.1035194821).

import { readFileSync } from 'node:fs';
import { readMeta } from '../../../src/providers/meta/reported-call.js';
import { networkKinds } from '../../../src/providers/whatsapp/kinds.js';
import { isWaha, readWaha } from '../../../src/providers/waha/reported-call.js';

const names = [
  'conversation',
  'senderKeyDistributionMessage',
  'imageMessage',
  'contactMessage',
  'locationMessage',
  'extendedTextMessage',
  'documentMessage',
  'audioMessage',
  'videoMessage',
  'call',
  'chat',
  'protocolMessage',
  'contactsArrayMessage',
  'highlyStructuredMessage',
  'fastRatchetKeySenderKeyDistributionMessage',
  'sendPaymentMessage',
  'liveLocationMessage',
  'requestPaymentMessage',
  'declinePaymentRequestMessage',
  'cancelPaymentRequestMessage',
  'templateMessage',
  'stickerMessage',
  'groupInviteMessage',
  'templateButtonReplyMessage',
  'productMessage',
  'deviceSentMessage',
  'messageContextInfo',
  'listMessage',
  'viewOnceMessage',
  'orderMessage',
  'listResponseMessage',
  'ephemeralMessage',
  'invoiceMessage',
  'buttonsMessage',
  'buttonsResponseMessage',
  'paymentInviteMessage',
  'interactiveMessage',
  'reactionMessage',
  'stickerSyncRmrMessage',
  'interactiveResponseMessage',
  'pollCreationMessage',
  'pollUpdateMessage',
  'keepInChatMessage',
  'documentWithCaptionMessage',
  'requestPhoneNumberMessage',
  'viewOnceMessageV2',
  'encReactionMessage',
  'editedMessage',
  'viewOnceMessageV2Extension',
  'pollCreationMessageV2',
  'scheduledCallCreationMessage',
  'groupMentionedMessage',
  'pinInChatMessage',
  'pollCreationMessageV3',
  'scheduledCallEditMessage',
  'ptvMessage',
  'botInvokeMessage',
  'callLogMesssage',
  'messageHistoryBundle',
  'encCommentMessage',
  'bcallMessage',
  'lottieStickerMessage',
  'eventMessage',
  'encEventResponseMessage',
  'commentMessage',
  'newsletterAdminInviteMessage',
  'placeholderMessage',
  'secretEncryptedMessage',
  'albumMessage',
  'eventCoverImage',
  'stickerPackMessage',
  'statusMentionMessage',
  'pollResultSnapshotMessage',
  'pollCreationOptionImageMessage',
  'associatedChildMessage',
  'groupStatusMentionMessage',
  'pollCreationMessageV4',
  'statusAddYours',
  'groupStatusMessage',
  'richResponseMessage',
  'statusNotificationMessage',
  'limitSharingMessage',
  'botTaskMessage',
  'questionMessage',
  'messageHistoryNotice',
  'groupStatusMessageV2',
  'botForwardedMessage',
  'statusQuestionAnswerMessage',
  'questionReplyMessage',
  'questionResponseMessage',
  'statusQuotedMessage',
  'statusStickerInteractionMessage',
  'pollCreationMessageV5',
  'newsletterFollowerInviteMessageV2',
  'pollResultSnapshotMessageV3',
];

// The fields to which an app may subscribe, from Meta's dashboard.
const fields = [
  'account_alerts',
  'account_review_update',
  'account_settings_update',
  'account_update',
  'automatic_events',
  'business_capability_update',
  'business_status_update',
  'calls',
  'flows',
  'group_lifecycle_update',
  'group_participants_update',
  'group_settings_update',
  'group_status_update',
  'history',
  'message_template_components_update',
  'message_template_quality_update',
  'message_template_status_update',
  'messages',
  'partner_solutions',
  'payment_configuration_update',
  'phone_number_name_update',
  'phone_number_quality_update',
  'security',
  'smb_app_state_sync',
  'smb_message_echoes',
  'template_category_update',
  'template_correct_category_detection',
  'tracking_events',
  'user_preferences',
];

const events = [
  'state.change',
  'group.join',
  'group.leave',
  'group.v2.join',
  'group.v2.leave',
  'group.v2.update',
  'group.v2.participants',
  'presence.update',
  'poll.vote',
  'poll.vote.failed',
  'chat.archive',
  'label.upsert',
  'label.deleted',
  'label.chat.added',
  'label.chat.deleted',
  'event.response',
  'event.response.failed',
  'message.ack.group',
  'engine.event',
];

// The types are from Meta's reference, with the words of its former API.
const metaTypes: Record<string, unknown> = {
  audio: { id: '1' },
  button: { text: 'Yes', payload: 'yes' },
  contacts: [{ name: { formatted_name: 'Ana' } }],
  document: { id: '1', filename: 'a.pdf' },
  image: { id: '1' },
  interactive: { type: 'button_reply', button_reply: { id: 'a', title: 'A' } },
  location: { latitude: 1, longitude: 2 },
  order: { catalog_id: '1', product_items: [] },
  reaction: { message_id: 'wamid.1', emoji: '👍' },
  request_welcome: {},
  sticker: { id: '1' },
  system: { body: 'changed', type: 'user_changed_number', wa_id: '5511988887777' },
  text: { body: 'Oi' },
  unknown: {},
  unsupported: {},
  video: { id: '1' },
};

const page = readFileSync(new URL('../../../src/docs/message-kinds.md', import.meta.url), 'utf8');

const reasonOf = ([report]: readonly object[]) =>
  report !== undefined && 'item' in report ? (report.item as { reason?: string }).reason : undefined;

export function describeNetworkKinds(): void {
  test.each(names)('%s is sorted', (name) => {
    expect(networkKinds.has(name)).toBe(true);
  });

  test.each([...networkKinds].filter(([, sort]) => sort === 'quiet'))('%s is quiet, and the guide says so', (name) => {
    expect(page).toContain(`\`${name}\``);
  });

  test.each(fields)("Meta's field %s is read, or quiet as the guide says", (field) => {
    const reason = reasonOf(readMeta({ entry: [{ changes: [{ field, value: {} }] }] }).reports);
    expect(reason ?? '').not.toMatch(/not handled/);
    expect(page.includes(`\`${field}\``)).toBe(reason === `quiet: ${field}`);
  });

  test.each(Object.keys(metaTypes))("Meta's type %s is read, quiet, or known to be empty", (type) => {
    const message = { from: '5511988887777', id: 'wamid.2', timestamp: '1773027345', type, [type]: metaTypes[type] };
    const value = { messaging_product: 'whatsapp', metadata: { phone_number_id: '1' }, messages: [message] };
    const { reports } = readMeta({ entry: [{ changes: [{ field: 'messages', value }] }] });
    expect(reports).toHaveLength(1);
    expect(reports[0]).toHaveProperty('item');
    expect(reports[0]).not.toHaveProperty('item.isUnknownKind', true);
    expect(reasonOf(reports) ?? 'quiet').toMatch(/^quiet/);
  });

  test("a type that is none of Meta's is unknown", () => {
    const message = { from: '5511988887777', id: 'wamid.2', timestamp: '1773027345', type: 'hologram', hologram: {} };
    const value = { metadata: { phone_number_id: '1' }, messages: [message] };
    const { reports } = readMeta({ entry: [{ changes: [{ field: 'messages', value }] }] });
    expect(reports[0]).toHaveProperty('item.isUnknownKind', true);
  });

  test.each(events)("WAHA's event %s is quiet, and the guide says so", (event) => {
    const call = { event, session: 'sales', payload: {} };
    expect(isWaha(call) ? reasonOf(readWaha(call).reports) : undefined).toBe(`quiet: ${event}`);
    expect(page).toContain(`\`${event}\``);
  });
}
