// The oldest Node that the service runs on. This module imports nothing, so that every Node with modules can load it.

/** The same as `engines` in package.json; a test compares them. */
export const oldestNode = '24.9.0';

/** @returns a sentence for the administrator if the Node is too old, else undefined */
export function nodeProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = oldestNode.split('.').map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  return `Leadwire needs Node ${oldestNode} or newer, and this is Node ${version}. Start it with \`npm start\`, which brings its own Node, or install a newer one.`;
}
