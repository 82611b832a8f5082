// The engine WEBJS reads messages from the network's own page in a browser. The page names a message by a word, and has the fields of its
// part beside it. Here they become the part that the other engines hand on.

import type { MessagePart } from '../whatsapp/message-part.js';
import { objectAt } from '../whatsapp/written-value.js';

type Fields = Record<string, unknown>;

/**
 * Returns the part that the page's fields make; undefined for a word that is read as it is.
 * @param body the words of the message, by WAHA's own field
 */
export function browserPart(data: Fields, body: unknown): MessagePart | undefined {
  const [name, value] = networkPart(data, body) ?? [];
  return name === undefined ? undefined : { name, value, path: '_data', message: data };
}

function networkPart(data: Fields, body: unknown): [name: string, value: Fields] | undefined {
  switch (data.type) {
    case 'buttons_response':
      return ['buttonsResponseMessage', { ...data, selectedDisplayText: body }];
    case 'template_button_reply':
      return ['templateButtonReplyMessage', { ...data, selectedDisplayText: body }];
    case 'list_response':
      return ['listResponseMessage', { title: body, ...objectAt(data.listResponse) }];
    case 'poll_creation':
      return ['pollCreationMessage', { name: data.pollName ?? body, options: pollOptions(data) }];
    case 'groups_v4_invite':
      return ['groupInviteMessage', { caption: data.comment, groupName: data.inviteGrpName }];
    case 'order':
      return ['orderMessage', { message: body, ...data }];
    case 'product':
      return ['productMessage', { body, product: data }];
    case 'event_creation':
    case 'scheduled_event_creation':
      return ['eventMessage', eventFields(data)];
    default:
      return undefined;
  }
}

function pollOptions({ pollOptions: options }: Fields): Fields[] {
  return Array.isArray(options) ? options.map((option: unknown) => ({ optionName: objectAt(option).name })) : [];
}

function eventFields({ eventName, eventDescription, eventStartTime, eventLocation, eventJoinLink }: Fields): Fields {
  return {
    name: eventName,
    description: eventDescription,
    startTime: eventStartTime,
    location: eventLocation,
    joinLink: eventJoinLink,
  };
}
