// Every part that the network's own messages may hold, sorted by what it means here. Evolution and WAHA pass these parts on under the
// network's names. A name that is in no list is unknown: its message is kept as a placeholder under that name.

export type NetworkSort = 'speech' | 'choice' | 'call' | 'change' | 'placeholder' | 'quiet' | 'wrapper' | 'context';

/** Parts that a person says, with or without readable words. */
const speech = [
  'conversation',
  'extendedTextMessage',
  'imageMessage',
  'videoMessage',
  'ptvMessage',
  'audioMessage',
  'documentMessage',
  'stickerMessage',
  'locationMessage',
  'liveLocationMessage',
  'contactMessage',
  'contactsArrayMessage',
  'pollCreationMessage',
  'pollCreationMessageV2',
  'pollCreationMessageV3',
  'pollCreationMessageV5',
  'pollCreationMessageV6',
  'buttonsMessage',
  'listMessage',
  'interactiveMessage',
  'templateMessage',
  'highlyStructuredMessage',
  'groupInviteMessage',
  'eventMessage',
  'productMessage',
  'orderMessage',
  'invoiceMessage',
  'sendPaymentMessage',
  'requestPaymentMessage',
  'declinePaymentRequestMessage',
  'cancelPaymentRequestMessage',
  'paymentInviteMessage',
  'newsletterAdminInviteMessage',
  'stickerPackMessage',
  'scheduledCallCreationMessage',
  'commentMessage',
  'richResponseMessage',
  'pollResultSnapshotMessage',
  'pollResultSnapshotMessageV3',
  'questionResponseMessage',
  'statusQuestionAnswerMessage',
  'newsletterFollowerInviteMessageV2',
  'newsletterAdminProfileMessage',
  'newsletterAdminProfileMessageV2',
  'splitPaymentMessage',
  'statusQuotedMessage',
  'bcallMessage',
] as const;

const choices = [
  'buttonsResponseMessage',
  'templateButtonReplyMessage',
  'listResponseMessage',
  'interactiveResponseMessage',
] as const;

/** The three s are the network's own spelling. */
const calls = ['callLogMesssage'] as const;
const changes = ['reactionMessage', 'protocolMessage'] as const;
const placeholders = ['placeholderMessage'] as const;

/** Signals of the app, and parts whose encryption we cannot open. They are no speech. */
const quiet = [
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

const wrapping = [
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

/** These parts stand beside the part that says something. The names without `Message` are Evolution's own. */
const context = [
  'messageContextInfo',
  'contextInfo',
  'senderKeyDistributionMessage',
  'fastRatchetKeySenderKeyDistributionMessage',
  'mediaUrl',
  'base64',
  'speechToText',
  'quoted',
] as const;

const sorts: readonly [NetworkSort, readonly string[]][] = [
  ['speech', speech],
  ['choice', choices],
  ['call', calls],
  ['change', changes],
  ['placeholder', placeholders],
  ['quiet', quiet],
  ['wrapper', wrapping],
  ['context', context],
];

/** A map, because a part may be named like a property of every object. */
export const networkKinds: ReadonlyMap<string, NetworkSort> = new Map(
  sorts.flatMap(([sort, names]) => names.map((name) => [name, sort] as const)),
);
