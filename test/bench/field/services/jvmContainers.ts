import type { FieldService } from '../fieldService.ts';
import { hikari, mavenPackage, mavenPlugin, mavenPom, postgresDriver, quiet } from './jvmPom.ts';

const jvm = { runtime: 'jvm', usesPostgres: true, build: mavenPackage } as const;
const asWar = (pom: string): string =>
  pom.replace('<version>1.0.0</version>\n', '<version>1.0.0</version>\n  <packaging>war</packaging>\n');
const warPlugin = mavenPlugin(
  'org.apache.maven.plugins:maven-war-plugin:3.4.0',
  '        <configuration><failOnMissingWebXml>false</failOnMissingWebXml></configuration>\n',
);
/** Copies one jar to target/dependency under a name without its version. */
const copiedJar = (group: string, artifact: string, version: string): string =>
  mavenPlugin(
    'org.apache.maven.plugins:maven-dependency-plugin:3.8.1',
    `        <executions><execution><phase>package</phase><goals><goal>copy</goal></goals><configuration><artifactItems><artifactItem>
          <groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version>
          <destFileName>${artifact}.jar</destFileName>
        </artifactItem></artifactItems></configuration></execution></executions>
`,
  );
/** A dependency that the container has. */
const provided = (pom: string, artifact: string): string =>
  pom.replace(new RegExp(`(<artifactId>${artifact}</artifactId><version>[^<]*</version>)`), '$1<scope>provided</scope>');

/** A WAR of an older specification, run as Heroku's pages say. */
const webappRunner: FieldService = {
  ...jvm,
  name: 'war-webapp-runner',
  files: {
    'pom.xml': provided(
      asWar(
        mavenPom({
          dependencies: ['javax.servlet:javax.servlet-api:4.0.1', 'org.apache.tomcat:tomcat-jdbc:9.0.89', postgresDriver],
          plugins: warPlugin + copiedJar('com.heroku', 'webapp-runner', '9.0.89.0'),
        }),
      ),
      'javax.servlet-api',
    ),
    Procfile: 'web: java $JAVA_OPTS -jar target/dependency/webapp-runner.jar --port $PORT target/*.war\n',
    'src/main/webapp/index.html': '<!DOCTYPE html>\n<title>Products</title>\n<a href="products">All products</a>\n',
    'src/main/java/com/example/products/Database.java': `package com.example.products;

import java.sql.*;
import javax.servlet.*;
import javax.servlet.annotation.WebListener;
import org.apache.tomcat.jdbc.pool.DataSource;
import org.apache.tomcat.jdbc.pool.PoolProperties;

@WebListener
public class Database implements ServletContextListener {
  private DataSource source;

  @Override
  public void contextInitialized(ServletContextEvent event) {
    PoolProperties properties = new PoolProperties();
    properties.setDriverClassName("org.postgresql.Driver");
    properties.setUrl(System.getenv("JDBC_DATABASE_URL"));
    properties.setMaxActive(20);
    source = new DataSource(properties);
    try (Connection connection = source.getConnection(); Statement statement = connection.createStatement()) {
      statement.execute("create table if not exists products (id int primary key, name text)");
      statement.execute("insert into products select n, 'Product ' || n from generate_series(1, 30) n on conflict do nothing");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    event.getServletContext().setAttribute("database", source);
  }

  @Override
  public void contextDestroyed(ServletContextEvent event) {
    source.close();
  }
}
`,
    'src/main/java/com/example/products/ProductServlet.java': `package com.example.products;

import java.io.IOException;
import java.sql.*;
import javax.servlet.annotation.WebServlet;
import javax.servlet.http.*;
import javax.sql.DataSource;

@WebServlet("/products/*")
public class ProductServlet extends HttpServlet {
  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
    DataSource source = (DataSource) getServletContext().getAttribute("database");
    String path = request.getPathInfo();
    Integer id = path == null || path.equals("/") ? null : Integer.valueOf(path.substring(1));
    response.setContentType("text/plain");
    try (Connection connection = source.getConnection();
        PreparedStatement statement = connection.prepareStatement("select name from products where ?::int is null or id = ? order by id")) {
      statement.setObject(1, id, Types.INTEGER);
      statement.setObject(2, id, Types.INTEGER);
      try (ResultSet rows = statement.executeQuery()) {
        int found = 0;
        while (rows.next()) {
          response.getWriter().println(rows.getString(1));
          found += 1;
        }
        if (found == 0) response.sendError(404);
      }
    } catch (SQLException e) {
      throw new IOException(e);
    }
  }
}
`,
  },
  command: ['java', '-jar', 'target/dependency/webapp-runner.jar', '--port', '8080', 'target/shop-1.0.0.war'],
  env: { JDBC_DATABASE_URL: 'jdbc:postgresql://{host}:{port}/{name}?user={user}&password={password}' },
  pool: { setBy: 'code' },
  routes: ['/', '/products', '/products/3'],
};

const jettyRun: FieldService = {
  ...jvm,
  name: 'war-jetty-run',
  files: {
    'pom.xml': provided(
      asWar(
        mavenPom({
          dependencies: ['jakarta.servlet:jakarta.servlet-api:6.0.0', hikari, postgresDriver, quiet],
          plugins:
            warPlugin +
            mavenPlugin(
              'org.eclipse.jetty.ee10:jetty-ee10-maven-plugin:12.0.25',
              `        <configuration>
          <webApp><contextPath>/bookshop</contextPath></webApp>
          <httpConnector><port>9090</port></httpConnector>
        </configuration>
`,
            ),
        }),
      ),
      'jakarta.servlet-api',
    ),
    'README.md': '# Bookshop\n\n    mvn jetty:run\n\nand open http://localhost:9090/bookshop/books\n',
    'src/main/webapp/WEB-INF/web.xml': `<?xml version="1.0" encoding="UTF-8"?>
<web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0">
  <servlet><servlet-name>books</servlet-name><servlet-class>com.example.bookshop.BookServlet</servlet-class></servlet>
  <servlet-mapping><servlet-name>books</servlet-name><url-pattern>/books/*</url-pattern></servlet-mapping>
</web-app>
`,
    'src/main/java/com/example/bookshop/BookServlet.java': `package com.example.bookshop;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.*;
import java.io.IOException;
import java.sql.*;

public class BookServlet extends HttpServlet {
  private HikariDataSource source;

  @Override
  public void init() throws ServletException {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(System.getenv("BOOKSHOP_DB"));
    config.setUsername(System.getenv("BOOKSHOP_DB_USER"));
    config.setPassword(System.getenv("BOOKSHOP_DB_PASSWORD"));
    config.setDriverClassName("org.postgresql.Driver");
    source = new HikariDataSource(config);
    try (Connection connection = source.getConnection(); Statement statement = connection.createStatement()) {
      statement.execute("create table if not exists books (id int primary key, title text)");
      statement.execute("insert into books select n, 'Book ' || n from generate_series(1, 30) n on conflict do nothing");
    } catch (SQLException e) {
      throw new ServletException(e);
    }
  }

  @Override
  public void destroy() {
    source.close();
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
    String path = request.getPathInfo();
    boolean all = path == null || path.equals("/");
    String sql = "select string_agg('\\"' || title || '\\"', ',' order by id) from books" + (all ? "" : " where id = ?");
    try (Connection connection = source.getConnection(); PreparedStatement statement = connection.prepareStatement(sql)) {
      if (!all) statement.setInt(1, Integer.parseInt(path.substring(1)));
      try (ResultSet rows = statement.executeQuery()) {
        rows.next();
        if (rows.getString(1) == null) {
          response.sendError(HttpServletResponse.SC_NOT_FOUND);
          return;
        }
        response.setContentType("application/json");
        response.getWriter().write("[" + rows.getString(1) + "]");
      }
    } catch (SQLException e) {
      throw new ServletException(e);
    }
  }
}
`,
  },
  command: ['mvn', 'jetty:run'],
  env: { BOOKSHOP_DB: 'jdbc:postgresql://{host}:{port}/{name}', BOOKSHOP_DB_USER: '{user}', BOOKSHOP_DB_PASSWORD: '{password}' },
  pool: { setBy: 'code' },
  routes: ['/bookshop/books', '/bookshop/books/3'],
};

const payaraMicro: FieldService = {
  ...jvm,
  name: 'payara-micro',
  files: {
    'pom.xml': provided(
      asWar(
        mavenPom({
          dependencies: ['jakarta.platform:jakarta.jakartaee-web-api:10.0.0', postgresDriver],
          plugins: warPlugin + copiedJar('fish.payara.extras', 'payara-micro', '6.2025.10'),
        }),
      ),
      'jakarta.jakartaee-web-api',
    ),
    'src/main/webapp/WEB-INF/beans.xml': `<?xml version="1.0" encoding="UTF-8"?>
<beans xmlns="https://jakarta.ee/xml/ns/jakartaee" version="4.0" bean-discovery-mode="all"></beans>
`,
    'src/main/resources/META-INF/persistence.xml': `<?xml version="1.0" encoding="UTF-8"?>
<persistence xmlns="https://jakarta.ee/xml/ns/persistence" version="3.0">
  <persistence-unit name="inventory" transaction-type="JTA">
    <jta-data-source>java:app/jdbc/inventory</jta-data-source>
    <properties>
      <property name="jakarta.persistence.schema-generation.database.action" value="create"/>
    </properties>
  </persistence-unit>
</persistence>
`,
    'src/main/java/com/example/inventory/RestApplication.java': `package com.example.inventory;

import jakarta.annotation.sql.DataSourceDefinition;
import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;

@ApplicationPath("/api")
@DataSourceDefinition(
    name = "java:app/jdbc/inventory",
    className = "org.postgresql.ds.PGSimpleDataSource",
    url = "jdbc:postgresql://\${ENV=POSTGRES_HOST}:\${ENV=POSTGRES_PORT}/\${ENV=POSTGRES_DB}",
    user = "\${ENV=POSTGRES_USER}",
    password = "\${ENV=POSTGRES_PASSWORD}",
    minPoolSize = 2,
    maxPoolSize = 16)
public class RestApplication extends Application {}
`,
    'src/main/java/com/example/inventory/Article.java': `package com.example.inventory;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
public class Article {
  @Id private int id;
  private String name;

  public Article() {}

  public Article(int id, String name) {
    this.id = id;
    this.name = name;
  }

  public int getId() {
    return id;
  }

  public void setId(int id) {
    this.id = id;
  }

  public String getName() {
    return name;
  }

  public void setName(String name) {
    this.name = name;
  }
}
`,
    'src/main/java/com/example/inventory/FirstArticles.java': `package com.example.inventory;

import jakarta.annotation.PostConstruct;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;

@Startup
@Singleton
public class FirstArticles {
  @PersistenceContext private EntityManager entities;

  @PostConstruct
  void fill() {
    for (int id = 1; id <= 30; id += 1) {
      if (entities.find(Article.class, id) == null) entities.persist(new Article(id, "Article " + id));
    }
  }
}
`,
    'src/main/java/com/example/inventory/ArticleResource.java': `package com.example.inventory;

import jakarta.ejb.Stateless;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.ws.rs.*;
import jakarta.ws.rs.core.MediaType;
import java.util.List;

@Stateless
@Path("/articles")
@Produces(MediaType.APPLICATION_JSON)
public class ArticleResource {
  @PersistenceContext private EntityManager entities;

  @GET
  public List<Article> list() {
    return entities.createQuery("select a from Article a order by a.id", Article.class).getResultList();
  }

  @GET
  @Path("/{id}")
  public Article one(@PathParam("id") int id) {
    Article found = entities.createQuery("select a from Article a where a.id = :id", Article.class).setParameter("id", id)
        .getResultStream().findFirst().orElse(null);
    if (found == null) throw new NotFoundException();
    return found;
  }
}
`,
  },
  command: [
    'java',
    '-jar',
    'target/dependency/payara-micro.jar',
    '--deploy',
    'target/shop-1.0.0.war',
    '--contextroot',
    '/',
    '--port',
    '8080',
    '--nocluster',
  ],
  env: {
    POSTGRES_HOST: '{host}',
    POSTGRES_PORT: '{port}',
    POSTGRES_DB: '{name}',
    POSTGRES_USER: '{user}',
    POSTGRES_PASSWORD: '{password}',
  },
  pool: { setBy: 'code' },
  routes: ['/api/articles', '/api/articles/3'],
};

/** Services packed as a WAR, which a container runs. */
export const jvmContainerServices: readonly FieldService[] = [webappRunner, jettyRun, payaraMicro];
