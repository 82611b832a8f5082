// GraphQL types of a search over everything.

import { Field, ID, Int, ObjectType } from 'type-graphql';
import { LeadNote } from '../leads/notes/lead-note.resolver.js';
import type { LeadNoteRow } from '../leads/notes/lead-note.sql.js';
import { Message } from '../messages/message.type.js';
import type { MessageRow } from '../messages/message.service.js';

@ObjectType({ description: 'A part of a text, counted like the characters of a JavaScript string.' })
export class TextMatch {
  @Field(() => Int, { description: 'Where it begins, from 0.' })
  start!: number;

  @Field(() => Int, { description: 'How long it is.' })
  length!: number;
}

@ObjectType({ description: 'A message that a search found.' })
export class MessageHit {
  @Field(() => ID, { description: "The message's id: `messages(around:)` gives the page around it." })
  id!: string;

  @Field(() => Message, { description: 'The message.' })
  message!: MessageRow;

  @Field(() => String, {
    description: 'The part of the text, the caption or the name of the file with the first found word, in one line.',
  })
  snippet!: string;

  @Field(() => [TextMatch], { description: 'The found words in `snippet`.' })
  matches!: TextMatch[];
}

@ObjectType({ description: 'A note that a search found.' })
export class NoteHit {
  @Field(() => ID, { description: "The note's id." })
  id!: string;

  @Field(() => LeadNote, { description: 'The note.' })
  note!: LeadNoteRow;

  @Field(() => String, { description: 'The part of the note with the first found word, in one line.' })
  snippet!: string;

  @Field(() => [TextMatch], { description: 'The found words in `snippet`.' })
  matches!: TextMatch[];
}

@ObjectType({ description: 'What a search found.' })
export class SearchResults {
  /** Its input: `leads`, `messages` and `notes` are found where they are asked for. */
  text!: string;
  first!: number;
}
