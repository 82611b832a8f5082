// Why a handle or a capability is refused, in words that say how to go on.

import { AppError, invalidField } from '../../platform/errors.js';
import type { Opened } from './capability.js';

/** @throws AppError VALIDATION_FAILED for one that list_conversations gave nobody, or gave another user; CONFLICT for one that has expired */
export function requireHandle<Content>(opened: Opened<Content>): Content {
  if (opened.outcome === 'invalid')
    throw invalidField('conversation', 'is none that list_conversations gave this user: list the conversations again');
  if (opened.outcome === 'expired') throw expired('conversation', 'list the conversations again');
  return opened.content;
}

/** @throws AppError VALIDATION_FAILED for one that read_conversation gave nobody, or gave another user; CONFLICT for one that has expired */
export function requirePermit<Content>(opened: Opened<Content>): { content: Content; key: string } {
  const known = requireGenuine(opened);
  if (opened.outcome === 'expired') throw expired('capability', 'read the conversation again');
  return known;
}

/** The same, of one that may have expired. @throws AppError VALIDATION_FAILED */
export function requireGenuine<Content>(opened: Opened<Content>): { content: Content; key: string } {
  if (opened.outcome === 'invalid')
    throw invalidField('capability', 'is none that read_conversation gave this user: read the conversation again');
  return opened;
}

/** Something came after what the assistant has read. */
export function newerMessage(): AppError {
  return conflict('capability', 'a newer message has arrived: read the conversation again');
}

/** It has answered once, with another text. */
export function alreadyUsed(): AppError {
  return conflict('capability', 'has already been used for another reply: read the conversation again');
}

function expired(path: string, advice: string): AppError {
  return conflict(path, `has expired: ${advice}`);
}

function conflict(path: string, message: string): AppError {
  return new AppError('CONFLICT', `${path}: ${message}`, { errors: [{ path, message }] });
}
