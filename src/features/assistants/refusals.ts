// Refusals of a handle or a capability. Each message says how to go on.

import { AppError, invalidField } from '../../platform/errors.js';
import type { Opened } from './capability.js';

/**
 * Returns the content of a valid handle.
 * @throws AppError VALIDATION_FAILED for a handle that list_conversations did not give this user; CONFLICT for an expired handle
 */
export function requireHandle<Content>(opened: Opened<Content>): Content {
  if (opened.outcome === 'invalid')
    throw invalidField('conversation', 'is none that list_conversations gave this user: list the conversations again');
  if (opened.outcome === 'expired') throw expired('conversation', 'list the conversations again');
  return opened.content;
}

/**
 * Returns the content of a valid capability.
 * @throws AppError VALIDATION_FAILED for a capability that read_conversation did not give this user; CONFLICT for an expired capability
 */
export function requirePermit<Content>(opened: Opened<Content>): { content: Content; key: string } {
  const known = requireGenuine(opened);
  if (opened.outcome === 'expired') throw expired('capability', 'read the conversation again');
  return known;
}

/** Returns the content of a capability that may have expired. @throws AppError VALIDATION_FAILED */
export function requireGenuine<Content>(opened: Opened<Content>): { content: Content; key: string } {
  if (opened.outcome === 'invalid')
    throw invalidField('capability', 'is none that read_conversation gave this user: read the conversation again');
  return opened;
}

/** The refusal when a message came after the one that the assistant has read. */
export function newerMessage(): AppError {
  return conflict('capability', 'a newer message has arrived: read the conversation again');
}

/** The refusal of a capability that has already sent another text. */
export function alreadyUsed(): AppError {
  return conflict('capability', 'has already been used for another reply: read the conversation again');
}

function expired(path: string, advice: string): AppError {
  return conflict(path, `has expired: ${advice}`);
}

function conflict(path: string, message: string): AppError {
  return new AppError('CONFLICT', `${path}: ${message}`, { errors: [{ path, message }] });
}
