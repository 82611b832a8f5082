/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** A browser, as its `PushSubscription` describes it, and what it is notified of. */
export type KeepPushDeviceInput = {
  /** `endpoint` of the subscription: an https URL of a public host, at most 1024 characters. Nobody is shown it. */
  endpoint: string;
  /** The language of the notifications, such as `en` or `pt-BR`. */
  language: string;
  /** The name that tells the user which browser it is, at most 100 characters. */
  name: string;
  /** Whether messages of conversations that are assigned to the user are told. */
  notifiesMine: boolean;
  /** Whether messages of conversations of nobody are told. */
  notifiesUnassigned: boolean;
  /** Its key `p256dh`, in Base64 for URLs. */
  publicKey: string;
  /** Its key `auth`, in Base64 for URLs. */
  secret: string;
};

export type PushDeviceShownFragment = { id: string, name: string, notifiesMine: boolean, notifiesUnassigned: boolean, seenAt: string };

export type PushDevicesQueryVariables = Exact<{ [key: string]: never; }>;


export type PushDevicesQuery = { pushPublicKey: string | null, pushDevices: Array<{ id: string, name: string, notifiesMine: boolean, notifiesUnassigned: boolean, seenAt: string }> };

export type KeepPushDeviceMutationVariables = Exact<{
  input: KeepPushDeviceInput;
}>;


export type KeepPushDeviceMutation = { keepPushDevice: { id: string, name: string, notifiesMine: boolean, notifiesUnassigned: boolean, seenAt: string } };

export type DeletePushDeviceMutationVariables = Exact<{
  id: string | number;
}>;


export type DeletePushDeviceMutation = { deletePushDevice: string };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const PushDeviceShownFragmentDoc = new TypedDocumentString(`
    fragment PushDeviceShown on PushDevice {
  id
  name
  notifiesMine
  notifiesUnassigned
  seenAt
}
    `, {"fragmentName":"PushDeviceShown"}) as unknown as TypedDocumentString<PushDeviceShownFragment, unknown>;
export const PushDevicesDocument = new TypedDocumentString(`
    query PushDevices {
  pushPublicKey
  pushDevices {
    ...PushDeviceShown
  }
}
    fragment PushDeviceShown on PushDevice {
  id
  name
  notifiesMine
  notifiesUnassigned
  seenAt
}`) as unknown as TypedDocumentString<PushDevicesQuery, PushDevicesQueryVariables>;
export const KeepPushDeviceDocument = new TypedDocumentString(`
    mutation KeepPushDevice($input: KeepPushDeviceInput!) {
  keepPushDevice(input: $input) {
    ...PushDeviceShown
  }
}
    fragment PushDeviceShown on PushDevice {
  id
  name
  notifiesMine
  notifiesUnassigned
  seenAt
}`) as unknown as TypedDocumentString<KeepPushDeviceMutation, KeepPushDeviceMutationVariables>;
export const DeletePushDeviceDocument = new TypedDocumentString(`
    mutation DeletePushDevice($id: ID!) {
  deletePushDevice(id: $id)
}
    `) as unknown as TypedDocumentString<DeletePushDeviceMutation, DeletePushDeviceMutationVariables>;