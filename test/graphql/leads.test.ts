import { describeConversation } from './conversation.suite.js';
import { describeDressedConversation } from './dressed-conversation.suite.js';
import { describeErasedMeanwhile } from './erased-meanwhile.suite.js';
import { describeLeadLists } from './lead-lists.suite.js';
import { describeLeadMerge } from './lead-merge.suite.js';
import { describeLeadRecords } from './lead-records.suite.js';
import { describeMessagesAround } from './messages-around.suite.js';
import { describeReplies } from './replies.suite.js';
import { describeShownFields } from './shown-fields.suite.js';

describe('conversation', describeConversation);
describe('dressed conversation', describeDressedConversation);
describe('erased meanwhile', describeErasedMeanwhile);
describe('lead lists', describeLeadLists);
describe('lead merge', describeLeadMerge);
describe('lead records', describeLeadRecords);
describe('messages around', describeMessagesAround);
describe('replies', describeReplies);
describe('shown fields', describeShownFields);
