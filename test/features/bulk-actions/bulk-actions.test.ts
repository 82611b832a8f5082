import { describeBulkActions } from './bulk-action.suite.js';
import { describeBulkActionUndo } from './bulk-action-undo.suite.js';

describe('bulk actions', describeBulkActions);
describe('the undo of bulk actions', describeBulkActionUndo);
