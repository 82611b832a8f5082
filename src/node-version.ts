// Which Node the service runs on. Imports nothing, so that it is read by every Node that knows modules.

/** As `engines` in package.json says (a test compares the two). */
export const oldestNode = '22.15.0';

/** @returns what to tell who starts the service on a Node that is too old; undefined for one that is not */
export function nodeProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = oldestNode.split('.').map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  return `Leadwire needs Node ${oldestNode} or newer, and this is Node ${version}: start it with \`npm start\`, which brings its own, or install a newer one.`;
}
