import type { FieldService } from '../fieldService.ts';
import { hikari, itemsClass, mavenPackage, mavenPom, postgresDriver, quiet } from './jvmPom.ts';

const jvm = { runtime: 'jvm', build: mavenPackage, usesPostgres: true } as const;
const items = { 'src/main/java/shop/Items.java': itemsClass } as const;
const main = (text: string): Record<string, string> => ({ 'src/main/java/shop/Main.java': `package shop;\n\n${text}` });
const jdbcParts = { DB_JDBC_URL: 'jdbc:postgresql://{host}:{port}/{name}', DB_USER: '{user}', DB_PASSWORD: '{password}' } as const;

/** A pool of Hikari of such variables. */
const hikariBy = (size: string): string => `com.zaxxer.hikari.HikariConfig config = new com.zaxxer.hikari.HikariConfig();
    config.setJdbcUrl(System.getenv("DB_JDBC_URL"));
    config.setUsername(System.getenv("DB_USER"));
    config.setPassword(System.getenv("DB_PASSWORD"));
    config.setMaximumPoolSize(${size});
    Items items = new Items(new com.zaxxer.hikari.HikariDataSource(config));`;

/** Small frameworks, and servers that a main method starts. */
export const jvmEmbeddedServices: readonly FieldService[] = [
  {
    ...jvm,
    name: 'javalin-hikari',
    files: {
      ...items,
      'pom.xml': mavenPom({ dependencies: ['io.javalin:javalin:6.7.0', hikari, postgresDriver, quiet], packing: 'run by Maven' }),
      ...main(`import com.zaxxer.hikari.*;
import io.javalin.Javalin;

public class Main {
  public static void main(String[] args) throws Exception {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(System.getenv("JDBC_DATABASE_URL"));
    config.setMaximumPoolSize(Integer.parseInt(System.getenv().getOrDefault("DB_POOL_SIZE", "5")));
    Items items = new Items(new HikariDataSource(config));
    Javalin.create()
        .get("/items", ctx -> ctx.result(items.all()))
        .get("/items/{id}", ctx -> ctx.result(items.one(Integer.parseInt(ctx.pathParam("id")))))
        .start(Integer.parseInt(System.getenv().getOrDefault("PORT", "7070")));
  }
}
`),
    },
    command: ['mvn', '-q', 'exec:java'],
    env: { JDBC_DATABASE_URL: 'jdbc:postgresql://{host}:{port}/{name}?user={user}&password={password}' },
    pool: { setBy: 'DB_POOL_SIZE' },
    routes: ['/items', '/items/3'],
  },
  {
    ...jvm,
    name: 'spark-dbcp2',
    files: {
      ...items,
      'pom.xml': mavenPom({
        dependencies: ['com.sparkjava:spark-core:2.9.4', 'org.apache.commons:commons-dbcp2:2.13.0', postgresDriver],
        packing: 'one jar',
      }),
      ...main(`import static spark.Spark.*;

import org.apache.commons.dbcp2.BasicDataSource;

public class Main {
  public static void main(String[] args) throws Exception {
    BasicDataSource source = new BasicDataSource();
    source.setUrl(System.getenv("DB_JDBC_URL"));
    source.setUsername(System.getenv("DB_USER"));
    source.setPassword(System.getenv("DB_PASSWORD"));
    source.setMaxTotal(Integer.parseInt(System.getenv().getOrDefault("MAX_CONNECTIONS", "6")));
    Items items = new Items(source);
    get("/items", (request, response) -> items.all());
    get("/items/:id", (request, response) -> items.one(Integer.parseInt(request.params("id"))));
  }
}
`),
    },
    command: ['java', '-jar', 'target/shop-1.0.0.jar'],
    env: jdbcParts,
    pool: { setBy: 'MAX_CONNECTIONS' },
    routes: ['/items', '/items/3'],
  },
  {
    ...jvm,
    name: 'jdk-httpserver',
    files: {
      ...items,
      'pom.xml': mavenPom({ dependencies: [hikari, postgresDriver, quiet], packing: 'folder of jars' }),
      ...main(`import com.sun.net.httpserver.*;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;

public class Main {
  public static void main(String[] args) throws Exception {
    ${hikariBy('Integer.parseInt(System.getenv().getOrDefault("DB_WORKERS", "5"))')}
    HttpServer server = HttpServer.create(new InetSocketAddress(Integer.parseInt(System.getenv().getOrDefault("HTTP_LISTEN", "8089"))), 0);
    server.setExecutor(Executors.newFixedThreadPool(20));
    server.createContext("/items", exchange -> {
      String path = exchange.getRequestURI().getPath();
      byte[] body = (path.equals("/items") ? items.all() : items.one(Integer.parseInt(path.substring("/items/".length())))).getBytes();
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
      exchange.close();
    });
    server.start();
  }
}
`),
    },
    command: ['java', '-cp', 'target/classes:target/lib/*', 'shop.Main'],
    env: jdbcParts,
    pool: { setBy: 'DB_WORKERS' },
    routes: ['/items'],
  },
  {
    ...jvm,
    name: 'jetty-c3p0',
    files: {
      ...items,
      'pom.xml': mavenPom({
        dependencies: ['org.eclipse.jetty.ee10:jetty-ee10-servlet:12.0.39', 'com.mchange:c3p0:0.10.1', postgresDriver, quiet],
        packing: 'folder of jars',
      }),
      'README.md': '# Shop\n\n    ./start.sh\n',
      'start.sh': '#!/bin/sh\nexec java -cp "target/classes:target/lib/*" shop.Main --port "${SHOP_PORT:-8086}"\n',
      ...main(`import com.mchange.v2.c3p0.ComboPooledDataSource;
import jakarta.servlet.http.*;
import java.io.IOException;
import org.eclipse.jetty.ee10.servlet.*;
import org.eclipse.jetty.server.Server;

public class Main {
  public static void main(String[] args) throws Exception {
    ComboPooledDataSource source = new ComboPooledDataSource();
    source.setJdbcUrl(System.getenv("DB_JDBC_URL"));
    source.setUser(System.getenv("DB_USER"));
    source.setPassword(System.getenv("DB_PASSWORD"));
    source.setMaxPoolSize(Integer.parseInt(System.getenv().getOrDefault("SHOP_POOL", "7")));
    Items items = new Items(source);
    Server server = new Server(Integer.parseInt(args[1]));
    ServletContextHandler context = new ServletContextHandler();
    context.setContextPath("/shop");
    context.addServlet(new ServletHolder(new HttpServlet() {
      @Override
      protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.getWriter().write(items.all());
      }
    }), "/items");
    server.setHandler(context);
    server.start();
  }
}
`),
    },
    command: ['./start.sh'],
    env: jdbcParts,
    pool: { setBy: 'SHOP_POOL' },
    routes: ['/shop/items'],
  },
  {
    ...jvm,
    name: 'undertow-hikari',
    files: {
      ...items,
      'pom.xml': mavenPom({ dependencies: ['io.undertow:undertow-core:2.3.24.Final', hikari, postgresDriver, quiet], packing: 'one jar' }),
      ...main(`import io.undertow.Undertow;
import io.undertow.server.handlers.BlockingHandler;
import io.undertow.server.RoutingHandler;

public class Main {
  public static void main(String[] args) throws Exception {
    ${hikariBy('Integer.getInteger("shop.pool", 5)')}
    RoutingHandler routes = new RoutingHandler()
        .get("/items", new BlockingHandler(exchange -> exchange.getResponseSender().send(items.all())))
        .get("/items/{id}", new BlockingHandler(exchange -> exchange.getResponseSender().send(items.one(Integer.parseInt(exchange.getQueryParameters().get("id").getFirst())))));
    Undertow.builder().addHttpListener(Integer.getInteger("shop.port", 8087), "0.0.0.0").setHandler(routes).build().start();
  }
}
`),
    },
    command: ['java', '-Dshop.port=8087', '-Dshop.pool=5', '-jar', 'target/shop-1.0.0.jar'],
    env: jdbcParts,
    pool: { setBy: 'shop.pool' },
    routes: ['/items', '/items/3'],
  },
  {
    ...jvm,
    name: 'tomcat-embedded',
    files: {
      ...items,
      'pom.xml': mavenPom({
        dependencies: ['org.apache.tomcat.embed:tomcat-embed-core:11.0.27', hikari, postgresDriver, quiet],
        packing: 'one jar',
      }),
      Procfile: 'web: java -jar target/shop-1.0.0.jar\n',
      ...main(`import jakarta.servlet.http.*;
import java.io.*;
import org.apache.catalina.*;
import org.apache.catalina.startup.Tomcat;

public class Main {
  public static void main(String[] args) throws Exception {
    ${hikariBy('Integer.parseInt(System.getenv().getOrDefault("CONNECTIONS", "6"))')}
    Tomcat tomcat = new Tomcat();
    tomcat.setPort(Integer.parseInt(System.getenv().getOrDefault("TOMCAT_HTTP", "8090")));
    tomcat.getConnector();
    Context context = tomcat.addContext("/shop", new File(System.getProperty("java.io.tmpdir")).getAbsolutePath());
    Tomcat.addServlet(context, "items", new HttpServlet() {
      @Override
      protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.getWriter().write(items.all());
      }
    });
    context.addServletMappingDecoded("/items", "items");
    tomcat.start();
    tomcat.getServer().await();
  }
}
`),
    },
    command: ['java', '-jar', 'target/shop-1.0.0.jar'],
    env: jdbcParts,
    pool: { setBy: 'CONNECTIONS' },
    routes: ['/shop/items'],
  },
  {
    ...jvm,
    name: 'jooby-hikari',
    files: {
      ...items,
      'pom.xml': mavenPom({ dependencies: ['io.jooby:jooby-jetty:3.0.9', hikari, postgresDriver, quiet], packing: 'one jar' }),
      'conf/application.conf': 'server.port = 8083\nserver.port = ${?JOOBY_PORT}\n',
      ...main(`import io.jooby.Jooby;

public class Main extends Jooby {
  {
    try {
      init();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private void init() throws Exception {
    ${hikariBy('Integer.parseInt(System.getenv().getOrDefault("POOL_MAX", "5"))')}
    get("/items", ctx -> items.all());
    get("/items/{id}", ctx -> items.one(ctx.path("id").intValue()));
  }

  public static void main(String[] args) {
    runApp(args, Main::new);
  }
}
`),
    },
    command: ['java', '-jar', 'target/shop-1.0.0.jar'],
    env: jdbcParts,
    pool: { setBy: 'POOL_MAX' },
    routes: ['/items', '/items/3'],
  },
  {
    ...jvm,
    name: 'resteasy-undertow',
    files: {
      ...items,
      'pom.xml': mavenPom({
        dependencies: ['org.jboss.resteasy:resteasy-undertow:7.0.1.Final', hikari, postgresDriver, quiet],
        packing: 'folder of jars',
      }),
      ...main(`import jakarta.ws.rs.*;
import jakarta.ws.rs.core.Application;
import java.util.Set;
import org.jboss.resteasy.plugins.server.undertow.UndertowJaxrsServer;

public class Main {
  static Items items;

  @Path("/items")
  public static class ItemsResource {
    @GET
    public String all() {
      return items.all();
    }

    @GET
    @Path("{id}")
    public String one(@PathParam("id") int id) {
      return items.one(id);
    }
  }

  @ApplicationPath("/api")
  public static class App extends Application {
    @Override
    public Set<Class<?>> getClasses() {
      return Set.of(ItemsResource.class);
    }
  }

  public static void main(String[] args) throws Exception {
    ${hikariBy('Integer.parseInt(System.getenv().getOrDefault("DB_MAX", "5"))').replace('Items items =', 'items =')}
    UndertowJaxrsServer server = new UndertowJaxrsServer();
    server.setPort(Integer.parseInt(System.getenv().getOrDefault("API_PORT", "8084")));
    server.deploy(App.class);
    server.start();
  }
}
`),
    },
    command: ['java', '-cp', 'target/classes:target/lib/*', 'shop.Main'],
    env: jdbcParts,
    pool: { setBy: 'DB_MAX' },
    // Below the context, which it takes from the annotation, the annotation counts once more.
    routes: ['/api/api/items', '/api/api/items/3'],
  },
  {
    ...jvm,
    name: 'reactor-netty',
    files: {
      'pom.xml': mavenPom({
        dependencies: [
          'io.projectreactor.netty:reactor-netty-http:1.2.18',
          'org.postgresql:r2dbc-postgresql:1.0.7.RELEASE',
          'io.r2dbc:r2dbc-pool:1.0.2.RELEASE',
        ],
        packing: 'one jar',
      }),
      ...main(`import io.r2dbc.pool.*;
import io.r2dbc.spi.*;
import reactor.core.publisher.*;
import reactor.netty.http.server.HttpServer;

public class Main {
  public static void main(String[] args) {
    ConnectionFactory factory = ConnectionFactories.get(System.getenv("R2DBC_DATABASE"));
    int size = Integer.parseInt(System.getenv().getOrDefault("R2DBC_POOL", "4"));
    ConnectionPool pool = new ConnectionPool(ConnectionPoolConfiguration.builder(factory).maxSize(size).build());
    Mono<String> count = Mono.usingWhen(pool.create(), one -> Mono.from(one.createStatement("select count(*) as n from generate_series(1, 50)").execute())
        .flatMap(result -> Mono.from(result.map((row, meta) -> "" + row.get("n")))), Connection::close);
    HttpServer.create().port(Integer.parseInt(System.getenv().getOrDefault("NETTY_PORT", "8092")))
        .route(routes -> routes.get("/count", (request, response) -> response.sendString(count)))
        .bindNow().onDispose().block();
  }
}
`),
    },
    command: ['java', '-jar', 'target/shop-1.0.0.jar'],
    env: { R2DBC_DATABASE: 'r2dbc:postgresql://{user}:{password}@{host}:{port}/{name}' },
    pool: { setBy: 'R2DBC_POOL' },
    routes: ['/count'],
  },
  {
    runtime: 'jvm',
    name: 'netty-plain',
    build: mavenPackage,
    files: {
      'pom.xml': mavenPom({ dependencies: ['io.netty:netty-all:4.2.18.Final'], packing: 'folder of jars' }),
      ...main(`import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.*;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.*;

public class Main {
  public static void main(String[] args) throws Exception {
    EventLoopGroup group = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    ChannelInitializer<Channel> pipeline = new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel channel) {
        channel.pipeline().addLast(new HttpServerCodec(), new HttpObjectAggregator(65536), new SimpleChannelInboundHandler<FullHttpRequest>() {
          @Override
          protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
            boolean known = request.uri().equals("/hello");
            FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, known ? HttpResponseStatus.OK : HttpResponseStatus.NOT_FOUND, Unpooled.copiedBuffer("hello".getBytes()));
            HttpUtil.setContentLength(response, 5);
            ctx.writeAndFlush(response);
          }
        });
      }
    };
    int port = args.length == 0 ? 8093 : Integer.parseInt(args[0]);
    new ServerBootstrap().group(group).channel(NioServerSocketChannel.class).childHandler(pipeline).bind(port).sync().channel().closeFuture().sync();
  }
}
`),
    },
    command: ['java', '-cp', 'target/classes:target/lib/*', 'shop.Main', '8093'],
    env: {},
    usesPostgres: false,
    pool: null,
    routes: ['/hello'],
  },
];
