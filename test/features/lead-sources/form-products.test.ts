import { describeFormProducts } from './form-products.suite.js';

describe('forms as products send them', describeFormProducts);
