// Filters that are there only while they are used, and the menu that adds one.

import { useRef, useState } from 'react';
import { useCommands } from '../app/commands.js';
import { useTexts } from '../i18n/language.js';
import { Button } from './button.js';
import { Menu, MenuItem } from './menu.js';
import { partTexts } from './part-texts.js';

/** @param isUsed says whether a filter has a value */
export function useAddedFilters<Name extends string>(names: readonly Name[], isUsed: (name: Name) => boolean) {
  // Filters that were added and have no value yet.
  const [added, setAdded] = useState<readonly Name[]>([]);
  const isShown = (name: Name) => added.includes(name) || isUsed(name);
  return {
    shown: names.filter(isShown),
    others: names.filter((name) => !isShown(name)),
    add: (name: Name) => setAdded([...added, name]),
    forget: (name: Name) => setAdded(added.filter((one) => one !== name)),
    forgetAll: () => setAdded([]),
  };
}

interface AddFilterProps<Name extends string> {
  /** The heading of its command. */
  group: string;
  /** The filters that are not shown. */
  others: readonly Name[];
  labels: Readonly<Record<Name, string>>;
  onAdd: (name: Name) => void;
}

/** The field of the new filter takes the focus, if it is in a `FilterChip`. */
export function AddFilter<Name extends string>({ group, others, labels, onAdd }: AddFilterProps<Name>) {
  const texts = useTexts(partTexts);
  const chosen = useRef<Name>(undefined);
  const button = useRef<HTMLButtonElement>(null);
  useCommands([{ id: 'filters', title: texts.filter, group, run: () => button.current?.click() }]);
  if (others.length === 0) return null;
  return (
    <Menu
      trigger={
        <Button ref={button} kind="quiet" icon="plus">
          {texts.filter}
        </Button>
      }
      focusAfter={() => document.querySelector<HTMLElement>(`[data-filter='${chosen.current}'] :is(input, select)`)}
    >
      {others.map((name) => (
        <MenuItem
          key={name}
          onChoose={() => {
            chosen.current = name;
            onAdd(name);
          }}
        >
          {labels[name]}
        </MenuItem>
      ))}
    </Menu>
  );
}
