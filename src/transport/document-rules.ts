// What a document may ask for, the same over HTTP and over sockets, beyond what GraphQL itself demands.

import { GraphQLError, Kind } from 'graphql';
import type { DocumentNode, FragmentDefinitionNode, SelectionSetNode, ValidationRule } from 'graphql';

/** Most fields and spreads of an operation, with its fragments written out where they are spread. */
const maxSelections = 1_000;

/** Counts before anything is executed: nested fragments double a document with each line. */
export const selectionLimitRule: ValidationRule = (context) => ({
  Document(document) {
    const fragments = fragmentsOf(document);
    const counts = new Map<FragmentDefinitionNode, number>();
    for (const definition of document.definitions) {
      if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
      if (countSelections(definition.selectionSet, fragments, counts) <= maxSelections) continue;
      const message = `The operation selects more than ${maxSelections} fields, its fragments written out`;
      context.reportError(new GraphQLError(message, { nodes: definition }));
    }
  },
});

function fragmentsOf(document: DocumentNode): Map<string, FragmentDefinitionNode> {
  const fragments = document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  return new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
}

function countSelections(
  { selections }: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  counts: Map<FragmentDefinitionNode, number>,
): number {
  let count = selections.length;
  for (const selection of selections) {
    if (selection.kind !== Kind.FRAGMENT_SPREAD) {
      if (selection.selectionSet !== undefined) count += countSelections(selection.selectionSet, fragments, counts);
      continue;
    }
    const fragment = fragments.get(selection.name.value);
    if (fragment === undefined) continue;
    if (!counts.has(fragment)) {
      // A fragment that leads back to itself is refused by another rule.
      counts.set(fragment, 0);
      counts.set(fragment, countSelections(fragment.selectionSet, fragments, counts));
    }
    count += counts.get(fragment) ?? 0;
  }
  return count;
}
