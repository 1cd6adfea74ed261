import { type PersonaTexts, type Statement, statementsOf } from './statements.js';

/** Sentences of texts whose length the customer chooses. */
export default (texts: PersonaTexts): Statement[] => statementsOf(texts);
