import { readText } from './read-text.js';

export default readText;
