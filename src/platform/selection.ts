// What an operation asks for below a field, so that a service can read it at once. Directives do not count: at worst more is read than
// shown.

import { Kind } from 'graphql';
import type { FieldNode, FragmentDefinitionNode, GraphQLResolveInfo, SelectionSetNode } from 'graphql';

type Fragments = Readonly<Record<string, FragmentDefinitionNode>>;

/** The names of the fields that are asked for at the end of a path of field names, below the field that is being resolved. */
export function selectedAt({ fieldNodes, fragments }: GraphQLResolveInfo, path: readonly string[]): Set<string> {
  let nodes: readonly FieldNode[] = fieldNodes;
  for (const name of path) nodes = fieldsOf(nodes, fragments).filter((node) => node.name.value === name);
  return new Set(fieldsOf(nodes, fragments).map((node) => node.name.value));
}

function fieldsOf(nodes: readonly FieldNode[], fragments: Fragments): FieldNode[] {
  return nodes.flatMap(({ selectionSet }) => (selectionSet === undefined ? [] : fieldsIn(selectionSet, fragments)));
}

function fieldsIn({ selections }: SelectionSetNode, fragments: Fragments): FieldNode[] {
  return selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection];
    const set = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments[selection.name.value];
    return set === undefined ? [] : fieldsIn(set.selectionSet, fragments);
  });
}
