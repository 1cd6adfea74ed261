export const trunkAddress = (phoneNumber: string): string => `/trunks/${phoneNumber.replace('+', '')}`;

/** The number in a page address, with or without its leading plus. */
export const numberOf = (parameter: string): string => `+${parameter.replace(/^\+/, '')}`;
