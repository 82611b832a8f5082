// The paths that the service worker opens from the browser's own copy of the console.

/**
 * Files of the API and guides as text have a dot, and REST paths of leads have no lead's id. Sign-in through a provider always needs the
 * network.
 */
const pagePattern =
  /^\/(?:(?:sign-in|(?:inbox|bulk|templates|dashboards|instances|calls|settings|docs)(?:\/[^./]*)?|leads(?:\/[\da-f-]{36})?)\/?)?$/;

/** Returns whether a text is the id of a record. */
export const isIdentifier = (text: string): boolean => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(text);

export const isShellPage = (path: string): boolean => pagePattern.test(path);
