// The people whom a text in the command palette names.

import { useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
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
/** A key waits so long for the answer. */
const patienceMs = 3_000;

const nobody: readonly Person[] = [];

/** A person is opened as a command is run. */
export interface PersonCommand extends Command {
  person: Person;
}

interface FoundPeople {
  /** A command for each person, which opens the conversation. */
  people: readonly PersonCommand[];
  /** The people of this text may still come. */
  isAsking: boolean;
}

/** Finds the people of a text. A search that fails finds nobody: the palette has its commands. */
export function useFoundPeople(written: string): FoundPeople {
  const texts = useTexts(paletteTexts);
  const navigate = useNavigate();
  const [people, setPeople] = useState(nobody);
  const [answered, setAnswered] = useState('');
  const text = written.trim().slice(0, 100);
  const isTooShort = text.length < minLength;
  useEffect(() => {
    if (isTooShort) return setPeople(nobody);
    let isLatest = true;
    const show = (found: readonly Person[]) => {
      if (!isLatest) return;
      setPeople(found);
      setAnswered(text);
    };
    const timers = [
      setTimeout(() => {
        ask(FindPeopleDocument, { text, first: most }).then(
          ({ search }) => show(search.leads),
          () => show(nobody),
        );
      }, pauseMs),
      setTimeout(() => setAnswered(text), patienceMs),
    ];
    return () => {
      isLatest = false;
      timers.forEach(clearTimeout);
    };
  }, [text, isTooShort]);
  const found = useMemo(
    () =>
      people.map((person) => ({
        id: `person-${person.id}`,
        title: person.name,
        group: texts.people,
        person,
        path: `/inbox/${person.id}`,
        run: () => navigate({ to: '/inbox/$leadId', params: { leadId: person.id }, search: {} }),
      })),
    [people, texts, navigate],
  );
  return { people: found, isAsking: !isTooShort && answered !== text };
}
