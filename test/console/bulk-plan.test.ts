// The logic of the console that needs no browser.

import { describeBulkPlan, describeTemplateText } from './bulk-plan.suite.js';

describe('texts of templates', describeTemplateText);
describe('the plan of a bulk send', describeBulkPlan);
