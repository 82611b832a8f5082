// The people whom a text in the command palette names.

import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ask } from '../api/client.js';
import { FindPeopleDocument, type FindPeopleQuery } from '../api/operations.js';
import { useTexts } from '../i18n/language.js';
import type { Command } from './commands.js';
import { paletteTexts } from './palette-texts.js';

export type Person = FindPeopleQuery['search']['leads'][number];

const most = 8;
/** A shorter text names too many people. */
const minLength = 2;
const pauseMs = 150;

/** A person is opened as a command is run. */
export interface PersonCommand extends Command {
  person: Person;
}

/** Returns a command for each person, which opens the conversation. A search that fails finds nobody: the palette has its commands. */
export function useFoundPeople(written: string): PersonCommand[] {
  const texts = useTexts(paletteTexts);
  const navigate = useNavigate();
  const [people, setPeople] = useState<readonly Person[]>([]);
  const text = written.trim().slice(0, 100);
  useEffect(() => {
    if (text.length < minLength) return setPeople([]);
    let isLatest = true;
    const timer = setTimeout(() => {
      const show = (found: readonly Person[]) => isLatest && setPeople(found);
      ask(FindPeopleDocument, { text, first: most }).then(
        ({ search }) => show(search.leads),
        () => show([]),
      );
    }, pauseMs);
    return () => {
      isLatest = false;
      clearTimeout(timer);
    };
  }, [text]);
  return people.map((person) => ({
    id: `person-${person.id}`,
    title: person.name,
    group: texts.people,
    person,
    run: () => navigate({ to: '/inbox/$leadId', params: { leadId: person.id }, search: {} }),
  }));
}
