// GraphQL types of the browsers that users have notified of messages.

import { Field, ID, InputType, ObjectType } from 'type-graphql';
import {
  deviceLifeDays,
  maxDeviceNameLength,
  maxEndpointLength,
  type KeepPushDeviceInput as KeepPushDeviceShape,
} from './push-device.schema.js';
import type { PushDeviceRecord } from './push-device.sql.js';

const mineDescription = 'Whether messages of conversations that are assigned to the user are told.';
const unassignedDescription = 'Whether messages of conversations of nobody are told.';

@ObjectType({
  description:
    'A browser of the user that is notified of messages while the console is closed. It is deleted when its address is gone, when the user is deactivated, and when the user’s subject changes.',
})
export class PushDevice implements PushDeviceRecord {
  @Field(() => ID, { description: 'UUID v7.' })
  id!: string;

  @Field(() => String, { description: 'The name that tells the user which browser it is.' })
  name!: string;

  @Field(() => Boolean, { description: mineDescription })
  notifiesMine!: boolean;

  @Field(() => Boolean, { description: unassignedDescription })
  notifiesUnassigned!: boolean;

  @Field(() => Date, { description: 'When it was first kept.' })
  createdAt!: Date;

  @Field(() => Date, { description: 'When it was last kept.' })
  seenAt!: Date;

  @Field(() => Date, { description: `Until when it is notified: ${deviceLifeDays} days after it was last kept.` })
  expiresAt!: Date;
}

@InputType({ description: 'A browser, as its `PushSubscription` describes it, and what it is notified of.' })
export class KeepPushDeviceInput implements KeepPushDeviceShape {
  @Field(() => String, {
    description: `\`endpoint\` of the subscription: an https URL of a public host, at most ${maxEndpointLength} characters. Nobody is shown it.`,
  })
  endpoint!: string;

  @Field(() => String, { description: 'Its key `p256dh`, in Base64 for URLs.' })
  publicKey!: string;

  @Field(() => String, { description: 'Its key `auth`, in Base64 for URLs.' })
  secret!: string;

  @Field(() => String, {
    description: `The name that tells the user which browser it is, at most ${maxDeviceNameLength} characters.`,
  })
  name!: string;

  @Field(() => String, { description: 'The language of the notifications, such as `en` or `pt-BR`.' })
  language!: string;

  @Field(() => Boolean, { description: mineDescription })
  notifiesMine!: boolean;

  @Field(() => Boolean, { description: unassignedDescription })
  notifiesUnassigned!: boolean;
}
