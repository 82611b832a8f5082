// The paths that the service worker opens from the browser's own copy of the console.

/** Files of the API and guides as text have a dot. Sign-in through a provider always needs the network. */
const pagePattern =
  /^\/(?:(?:sign-in|inbox|leads|bulk|templates|dashboards|instances|calls|settings|docs)(?:\/[^.]*)?)?$/;

export const isShellPage = (path: string): boolean => pagePattern.test(path);
