/** A service that others wrote, at pinned versions, or an app of ten to fifty lines around a library that others wrote. */
export interface FieldService {
  /** 'unleash', 'keycloak' */
  name: string;
  runtime: 'node' | 'jvm';
  /** Files of the app, by path in its folder; package.json or pom.xml with exact versions among them. */
  files: Readonly<Record<string, string>>;
  /** Commands that install and build it, before anything is measured. */
  build: readonly (readonly string[])[];
  /** What a developer types to start it. */
  command: readonly string[];
  /** Environment a developer's shell would hold, such as the address of the database; `{database}` stands for a postgres:// URL of a fresh local database, `{host}`, `{port}`, `{name}`, `{user}`, `{password}` for its parts. */
  env: Readonly<Record<string, string>>;
  usesPostgres: boolean;
  /** Whether it has a pool whose size can be set, and what sets it; `code`: nothing but an edit, or the probe in the running app. */
  pool: { setBy: string } | null;
  /** Routes that answer 2xx to a GET without signing in. */
  routes: readonly string[];
}
