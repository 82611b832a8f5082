// Types for the part of proxy-addr (Express's own reader of `X-Forwarded-For`) that client-address.ts uses.

declare module 'proxy-addr' {
  import type { IncomingMessage } from 'node:http';

  type Trust = (address: string | undefined, hop: number) => boolean;

  /** The address of the nearest party that `trust` does not vouch for; undefined once the connection is gone. */
  function proxyAddress(request: IncomingMessage, trust: Trust): string | undefined;

  namespace proxyAddress {
    /** @throws TypeError for what is neither an address, a network nor `loopback`, `linklocal` or `uniquelocal` */
    function compile(trusted: readonly string[]): Trust;
  }

  export = proxyAddress;
}
