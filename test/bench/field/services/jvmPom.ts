/** How a project is put together: a jar with everything in it, its classes next to a folder of jars, or what Maven itself starts. */
type Packing = 'one jar' | 'folder of jars' | 'run by Maven';

interface Pom {
  /** `group:artifact:version`; without a version where a parent or a BOM says it. */
  dependencies: readonly string[];
  parent?: string;
  /** BOMs that say versions. */
  managed?: readonly string[];
  packing?: Packing;
  mainClass?: string;
  properties?: Readonly<Record<string, string>>;
  /** Elements of `<plugins>`, as they are there. */
  plugins?: string;
}

export const postgresDriver = 'org.postgresql:postgresql:42.7.14';
export const hikari = 'com.zaxxer:HikariCP:6.3.3';
export const quiet = 'org.slf4j:slf4j-nop:2.0.17';

/** Builds a project as a developer does, without its tests. */
export const mavenPackage: readonly (readonly string[])[] = [['mvn', '-B', '-q', '-DskipTests', 'package']];

/** The text of a pom.xml of Java 17 with exact versions. */
export function mavenPom({
  dependencies,
  parent,
  managed = [],
  packing,
  mainClass = 'shop.Main',
  properties = {},
  plugins = '',
}: Pom): string {
  const own: Record<string, string> = {
    'maven.compiler.release': '17',
    'project.build.sourceEncoding': 'UTF-8',
    ...(packing === 'run by Maven' ? { 'exec.mainClass': mainClass } : {}),
    ...properties,
  };
  const boms = managed.map((one) => `<dependency>${coordinates(one)}<type>pom</type><scope>import</scope></dependency>`).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  ${parent === undefined ? '' : `<parent>${coordinates(parent)}<relativePath/></parent>`}
  <groupId>shop</groupId>
  <artifactId>shop</artifactId>
  <version>1.0.0</version>
  <properties>
${Object.entries(own)
  .map(([name, value]) => `    <${name}>${value}</${name}>`)
  .join('\n')}
  </properties>
  ${boms === '' ? '' : `<dependencyManagement><dependencies>${boms}</dependencies></dependencyManagement>`}
  <dependencies>
${dependencies.map((one) => `    <dependency>${coordinates(one)}</dependency>`).join('\n')}
  </dependencies>
  <build>
    <plugins>
${parent === undefined ? compiler : ''}${plugins}${packing === undefined ? '' : packed(packing, mainClass)}
    </plugins>
  </build>
</project>
`;
}

/** An element of `<plugins>` by `group:artifact:version`, or without a version where a parent says it. */
export function mavenPlugin(plugin: string, inside: string): string {
  return `      <plugin>${coordinates(plugin)}\n${inside}      </plugin>\n`;
}

/** Maven’s own default is too old for `release`. */
const compiler =
  '      <plugin><groupId>org.apache.maven.plugins</groupId><artifactId>maven-compiler-plugin</artifactId><version>3.14.0</version><configuration><parameters>true</parameters></configuration></plugin>\n';

function coordinates(text: string): string {
  const [group = '', artifact = '', version] = text.split(':');
  return `<groupId>${group}</groupId><artifactId>${artifact}</artifactId>${version === undefined ? '' : `<version>${version}</version>`}`;
}

function packed(packing: Packing, mainClass: string): string {
  if (packing === 'run by Maven')
    return '      <plugin><groupId>org.codehaus.mojo</groupId><artifactId>exec-maven-plugin</artifactId><version>3.5.0</version></plugin>';
  if (packing === 'folder of jars')
    return `      <plugin><groupId>org.apache.maven.plugins</groupId><artifactId>maven-dependency-plugin</artifactId><version>3.8.1</version>
        <executions><execution><phase>package</phase><goals><goal>copy-dependencies</goal></goals>
          <configuration><outputDirectory>target/lib</outputDirectory><includeScope>runtime</includeScope></configuration></execution></executions></plugin>`;
  return `      <plugin><groupId>org.apache.maven.plugins</groupId><artifactId>maven-shade-plugin</artifactId><version>3.6.0</version>
        <executions><execution><phase>package</phase><goals><goal>shade</goal></goals><configuration>
          <createDependencyReducedPom>false</createDependencyReducedPom>
          <filters><filter><artifact>*:*</artifact><excludes><exclude>META-INF/*.SF</exclude><exclude>META-INF/*.DSA</exclude><exclude>META-INF/*.RSA</exclude><exclude>module-info.class</exclude></excludes></filter></filters>
          <transformers>
            <transformer implementation="org.apache.maven.plugins.shade.resource.ManifestResourceTransformer"><mainClass>${mainClass}</mainClass></transformer>
            <transformer implementation="org.apache.maven.plugins.shade.resource.ServicesResourceTransformer"/>
          </transformers></configuration></execution></executions></plugin>`;
}

/** Makes a table of twenty rows in a `javax.sql.DataSource source`, and reads from it. */
export const itemsClass = `package shop;

import java.sql.*;
import javax.sql.DataSource;

public final class Items {
  private final DataSource source;

  public Items(DataSource source) throws SQLException {
    this.source = source;
    try (Connection connection = source.getConnection(); Statement statement = connection.createStatement()) {
      statement.execute("create table if not exists items (id int primary key, name text)");
      statement.execute("insert into items select n, 'item ' || n from generate_series(1, 20) n on conflict do nothing");
    }
  }

  public String all() {
    return query("select string_agg(name, ',' order by id) from items", 0);
  }

  public String one(int id) {
    return query("select name from items where id = ?", id);
  }

  private String query(String sql, int id) {
    try (Connection connection = source.getConnection(); PreparedStatement statement = connection.prepareStatement(sql)) {
      if (id > 0) statement.setInt(1, id);
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next() ? "[\\"" + rows.getString(1) + "\\"]" : null;
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
`;
