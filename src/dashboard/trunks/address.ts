export const trunkAddress = (phoneNumber: string): string => `/trunks/${phoneNumber.replace('+', '')}`;

/** The number that an address means, with or without its plus. */
export const numberOf = (parameter: string): string => `+${parameter.replace(/^\+/, '')}`;
