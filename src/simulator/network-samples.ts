// Owns an example of each part that the network's own messages may hold, and the names of the signals that providers report: signals of
// the app, of an account, or of a group.

type Fields = Readonly<Record<string, unknown>>;

const POLL = {
  name: 'Which week?',
  options: [{ optionName: 'May' }, { optionName: 'June' }],
  selectableOptionsCount: 1,
};
const PLACE = { degreesLatitude: 38.6979, degreesLongitude: -9.4215, name: 'Cascais', address: 'Largo de Camões' };
const CARD = {
  displayName: 'Ana Reis',
  vcard: 'BEGIN:VCARD\nVERSION:3.0\nFN:Ana Reis\nTEL;type=CELL:+351 910 000 013\nEND:VCARD',
};

/** The MIME type of the file that is sent as each part. */
export const FILE_PARTS: Readonly<Record<string, string>> = {
  imageMessage: 'image/png',
  videoMessage: 'video/mp4',
  ptvMessage: 'video/mp4',
  audioMessage: 'audio/wav',
  documentMessage: 'application/pdf',
  stickerMessage: 'image/png',
};

const PLAIN_PARTS = [
  'highlyStructuredMessage',
  'sendPaymentMessage',
  'requestPaymentMessage',
  'declinePaymentRequestMessage',
  'cancelPaymentRequestMessage',
  'paymentInviteMessage',
  'invoiceMessage',
  'splitPaymentMessage',
  'newsletterAdminInviteMessage',
  'newsletterAdminProfileMessage',
  'newsletterAdminProfileMessageV2',
  'newsletterFollowerInviteMessageV2',
  'stickerPackMessage',
  'scheduledCallCreationMessage',
  'commentMessage',
  'richResponseMessage',
  'pollCreationMessageV6',
  'pollResultSnapshotMessage',
  'pollResultSnapshotMessageV3',
  'questionResponseMessage',
  'statusQuestionAnswerMessage',
  'statusQuotedMessage',
  'bcallMessage',
] as const;

/** The parts that a person may send, with readable words or without. */
export const SPOKEN_PARTS: Fields = {
  conversation: 'Olá!',
  extendedTextMessage: { text: 'https://example.com' },
  locationMessage: PLACE,
  liveLocationMessage: PLACE,
  contactMessage: CARD,
  contactsArrayMessage: { contacts: [CARD] },
  pollCreationMessage: POLL,
  pollCreationMessageV2: POLL,
  pollCreationMessageV3: POLL,
  pollCreationMessageV5: POLL,
  buttonsMessage: { contentText: 'Shall we?' },
  listMessage: { title: 'Weeks', description: 'Choose a week' },
  interactiveMessage: { body: { text: 'Shall we?' } },
  templateMessage: { hydratedTemplate: { hydratedContentText: 'Shall we?' } },
  groupInviteMessage: { groupName: 'Neighbours', caption: 'Come in' },
  eventMessage: { name: 'House warming' },
  productMessage: { product: { title: 'A week by the sea' } },
  orderMessage: { orderTitle: 'Two weeks', message: 'This one' },
  ...Object.fromEntries(PLAIN_PARTS.map((name) => [name, {}])),
};

/** The parts that hold another message. */
export const WRAPPERS = [
  'ephemeralMessage',
  'viewOnceMessage',
  'viewOnceMessageV2',
  'viewOnceMessageV2Extension',
  'documentWithCaptionMessage',
  'editedMessage',
  'deviceSentMessage',
  'associatedChildMessage',
  'lottieStickerMessage',
  'groupMentionedMessage',
  'botInvokeMessage',
  'botForwardedMessage',
  'questionMessage',
  'questionReplyMessage',
  'pollCreationMessageV4',
  'groupStatusMessage',
  'groupStatusMessageV2',
  'spoilerMessage',
] as const;

/** Signals of the app, and parts that are encrypted for the app alone. */
export const QUIET_PARTS = [
  'albumMessage',
  'pollUpdateMessage',
  'pinInChatMessage',
  'keepInChatMessage',
  'encReactionMessage',
  'encCommentMessage',
  'encEventResponseMessage',
  'secretEncryptedMessage',
  'messageHistoryNotice',
  'messageHistoryBundle',
  'requestPhoneNumberMessage',
  'limitSharingMessage',
  'statusMentionMessage',
  'groupStatusMentionMessage',
  'statusNotificationMessage',
  'statusStickerInteractionMessage',
  'statusAddYours',
  'stickerSyncRmrMessage',
  'scheduledCallEditMessage',
  'botTaskMessage',
  'call',
  'chat',
  'eventCoverImage',
  'pollCreationOptionImageMessage',
  'pollAddOptionMessage',
  'eventInviteMessage',
  'conditionalRevealMessage',
] as const;

/** Events of WAHA that carry nothing for a conversation. */
export const QUIET_EVENTS = [
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
] as const;

/** Fields of a Meta subscription that are about the account, its templates and its groups, or repeat an old history. */
export const QUIET_FIELDS = [
  'account_alerts',
  'account_review_update',
  'account_settings_update',
  'account_update',
  'automatic_events',
  'business_capability_update',
  'business_status_update',
  'flows',
  'group_lifecycle_update',
  'group_participants_update',
  'group_settings_update',
  'group_status_update',
  'history',
  'message_template_components_update',
  'message_template_quality_update',
  'partner_solutions',
  'payment_configuration_update',
  'phone_number_name_update',
  'phone_number_quality_update',
  'security',
  'smb_app_state_sync',
  'template_category_update',
  'template_correct_category_detection',
  'tracking_events',
] as const;
