/** A setting that cannot be used. The message is one line for the person who starts the service. */
export class ConfigurationError extends Error {}
