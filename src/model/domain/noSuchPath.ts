/** A path that no service has, without the slash before it: what a service does when it is asked for it is what it does with any path that it does not know. */
export const noSuchPath = 'no-such-path-of-any-service-7f3a';
