// GraphQL of the browsers that users have notified of messages.

import { Arg, Authorized, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import type { GraphqlContext } from '../../platform/graphql/graphql-context.js';
import { deviceLifeDays, maxPushDevices } from './push-device.schema.js';
import type { PushDeviceService } from './push-device.service.js';
import type { PushDeviceRecord } from './push-device.sql.js';
import { KeepPushDeviceInput, PushDevice } from './push-device.type.js';

@Resolver(() => PushDevice)
export class PushDeviceResolver {
  constructor(private readonly service: PushDeviceService) {}

  @Authorized()
  @Query(() => String, {
    nullable: true,
    description:
      'The `applicationServerKey` that a browser subscribes to notifications with, in Base64 for URLs; null where push is not configured.',
  })
  pushPublicKey(@Ctx() context: GraphqlContext): string | null {
    return this.service.findPublicKey(context.principal);
  }

  @Authorized()
  @Query(() => [PushDevice], { description: "Lists the caller's browsers that are notified, the last seen first." })
  pushDevices(@Ctx() context: GraphqlContext): Promise<PushDeviceRecord[]> {
    return this.service.list(context.principal);
  }

  @Authorized()
  @Mutation(() => PushDevice, {
    description: `Has a browser notified for ${deviceLifeDays} days, or changes of what. A browser belongs to the user who kept it last. CONFLICT beyond ${maxPushDevices} browsers, UNAVAILABLE where push is not configured. Safe to repeat.`,
  })
  keepPushDevice(
    @Ctx() context: GraphqlContext,
    @Arg('input', () => KeepPushDeviceInput, { description: 'The browser.' }) input: KeepPushDeviceInput,
  ): Promise<PushDeviceRecord> {
    return this.service.keep(context.principal, input);
  }

  @Authorized()
  @Mutation(() => ID, { description: "Ends the notifications of one of the caller's browsers." })
  deletePushDevice(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The browser's id." }) id: string,
  ): Promise<string> {
    return this.service.delete(context.principal, id);
  }
}
