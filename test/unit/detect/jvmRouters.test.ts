import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FolderFiles } from '../../../src/engine/detect/folderFiles.ts';
import { javaRoutes, javaSources } from '../../../src/engine/detect/javaRoutes.ts';
import { writeFiles } from '../../support/writeFiles.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'benchside-jvm-routers-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function routes(sources: Readonly<Record<string, string>>): string[] {
  writeFiles(dir, sources);
  const files = new FolderFiles(dir);
  return javaRoutes(files, '.', javaSources(files, '.')).map(({ route }) => `${route.method} ${route.path}`);
}

describe('the routes of a service of Javalin', () => {
  it('are those of its calls, below its groups and its context path', () => {
    const main = `import io.javalin.Javalin;
      class Main {
        static final String BASE = "/v1";
        public static void main(String[] args) {
          var app = Javalin.create(config -> { config.router.contextPath = "/api"; });
          app.get("/health", ctx -> ctx.result("}"))
             .post(BASE + "/logins", ctx -> {});
          app.get("/files/*", ctx -> {});
          app.get("loans", loanController::all);
          var value = cache.get("/not-a-route") + known.get("neither", 0);
          app.routes(() -> {
            path("users", () -> {
              get(UserController::all);
              post(ctx -> users.create(ctx));
              path("{id}", () -> { get(UserController::one); delete("avatar", UserController::dropAvatar); });
            });
            crud("/pets/{petId}", new Pets());
          });
        }
      }`;
    expect(routes({ 'src/main/java/Main.java': main })).toEqual([
      'GET /api/health',
      'POST /api/v1/logins',
      'GET /api/loans',
      'GET /api/users',
      'POST /api/users',
      'GET /api/users/:id',
      'DELETE /api/users/:id/avatar',
      'GET /api/pets',
      'GET /api/pets/:petId',
      'POST /api/pets',
      'PATCH /api/pets/:petId',
      'DELETE /api/pets/:petId',
    ]);
  });

  it('of several classes are below what calls each of them, though their functions have one name', () => {
    const of = (type: string, more: string): string => `import io.javalin.apibuilder.EndpointGroup;
      public class ${type} { public EndpointGroup getRoutes() { return () -> { ${more} }; } }`;
    const main = `import io.javalin.apibuilder.EndpointGroup;
      public class Routes { EndpointGroup all() { return () -> { path("/trips", tripRoutes.getRoutes()); path("/guides", guides.getRoutes()); path("/pets", new PetRoutes(c).getRoutes()); }; }
        private final GuideRoutes guides = of(); }`;
    expect(
      routes({
        'src/main/java/Routes.java': main,
        'src/main/java/TripRoutes.java': of('TripRoutes', 'get("/", c::all); put("/{id}", c::change);'),
        'src/main/java/PetRoutes.java': of('PetRoutes', 'get("/all", c::all);'),
        'src/main/java/GuideRoutes.java': of('GuideRoutes', 'get("/{id}", c::one);'),
      }).sort(),
    ).toEqual(['GET /guides/:id', 'GET /pets/all', 'GET /trips', 'PUT /trips/:id']);
  });
});

describe('the routes of a service of Ktor', () => {
  it('are those of its blocks and of functions that these call, with constants in their paths', () => {
    const app = `import io.ktor.server.routing.*
      const val API = "/api"
      val size: Int get() { return 3 }
      fun Application.module() { routing { get("/") { call.respondText("{") } route("$API/v2") { authenticate("jwt") { customers() } } } }`;
    const customers = `import io.ktor.server.routing.*
      fun Route.customers() {
        route("/customers") {
          get { call.respond(all()) }
          get("{id}") { client.get("/elsewhere") }
          post { }
        }
      }`;
    expect(routes({ 'src/main/kotlin/App.kt': app, 'src/main/kotlin/Customers.kt': customers })).toEqual([
      'GET /',
      'GET /api/v2/customers',
      'GET /api/v2/customers/:id',
      'POST /api/v2/customers',
    ]);
  });
});

describe('the routes of a service of Vert.x', () => {
  it('are those of its routers, below what these are mounted at by a variable or a function', () => {
    const main = `import io.vertx.ext.web.Router;
      class Main extends AbstractVerticle {
        public void start(Promise<Void> done) {
          Router router = Router.router(vertx);
          Router orders = Router.router(vertx);
          router.route("/*").handler(BodyHandler.create());
          router.route("/ping").handler(this::ping);
          router.route(HttpMethod.PUT, "/ping").handler(this::ping);
          orders.get("/:id").handler(this::order);
          router.route("/orders/*").subRouter(orders);
          router.mountSubRouter("/admin", admin());
          webClient.get("/elsewhere").send();
        }
        private Router admin() {
          Router router = Router.router(vertx);
          router.delete("/caches").handler(this::clear);
          return router;
        }
      }`;
    expect(routes({ 'src/main/java/Main.java': main })).toEqual(['GET /ping', 'PUT /ping', 'GET /orders/:id', 'DELETE /admin/caches']);
  });
});

it('Paths of a file without such a framework are none of these', () => {
  expect(routes({ 'src/main/java/A.java': 'class A { String a = store.get("/a"); }' })).toEqual([]);
});

describe('the routes of resources of JAX-RS are below', () => {
  const items = `import jakarta.ws.rs.*;
    @Path("items") public class Items { @GET public String all() { return ""; } @GET @Path("{id}") public String one() { return ""; } }`;
  const resource = { 'src/main/java/Items.java': items };
  const below = (path: string): string[] => [`GET ${path}/items`, `GET ${path}/items/:id`];

  it.each<[string, Readonly<Record<string, string>>, string]>([
    [
      'the path of its application',
      { 'src/main/java/App.java': '@ApplicationPath("api") public class App extends Application {}' },
      '/api',
    ],
    [
      'the mapping of its servlet in web.xml, whatever the annotation says',
      {
        'src/main/java/App.java': '@ApplicationPath("api") public class App extends Application {}',
        'src/main/webapp/WEB-INF/web.xml': `<web-app><servlet><servlet-name>rest</servlet-name>
          <servlet-class>org.glassfish.jersey.servlet.ServletContainer</servlet-class></servlet>
          <servlet-mapping><servlet-name>other</servlet-name><url-pattern>/other</url-pattern></servlet-mapping>
          <servlet-mapping><servlet-name>rest</servlet-name><url-pattern>/rest/*</url-pattern></servlet-mapping></web-app>`,
      },
      '/rest',
    ],
    [
      'what the code maps its servlet to, which is no route',
      { 'src/main/java/Main.java': 'class Main { { context.addServlet(new ServletHolder(new ServletContainer(config)), "/v2/*"); } }' },
      '/v2',
    ],
    [
      'the address that its server is given',
      {
        'src/main/java/Main.java':
          'class Main { static final String BASE = "http://localhost:8080/myapp/"; { GrizzlyHttpServerFactory.createHttpServer(URI.create(BASE), rc); } }',
      },
      '/myapp',
    ],
    [
      'the path that Quarkus is configured with, and that of its server',
      { 'src/main/resources/application.properties': 'quarkus.http.root-path=/shop\nquarkus.rest.path=/v1\n' },
      '/shop/v1',
    ],
    [
      'the root path of Dropwizard',
      { 'src/main/java/App.java': 'import io.dropwizard.core.Application;', 'config.yml': 'server:\n  rootPath: /api/*\n' },
      '/api',
    ],
  ])('%s', (_what, more, path) => {
    expect(routes({ ...resource, ...more })).toEqual(below(path));
  });

  it('nothing where no file says so, and those of a client are none', () => {
    const client = 'import jakarta.ws.rs.*; @RegisterRestClient @Path("/elsewhere") public interface Client { @GET String all(); }';
    expect(routes({ ...resource, 'src/main/java/Client.java': client })).toEqual(below(''));
  });
});

describe('the routes of controllers', () => {
  it('of Micronaut are below their class and the context path', () => {
    const pets = `import io.micronaut.http.annotation.*;
      @Controller("/pets") class Pets { @Get("{?max,offset}") List<Pet> all() {} @Get("/{id}") Pet one() {} @Post(value = "/", processes = "text/json") void add() {} }`;
    const yaml = 'micronaut:\n  server:\n    context-path: /api\n';
    expect(routes({ 'src/main/java/Pets.java': pets, 'src/main/resources/application.yml': yaml })).toEqual([
      'GET /api/pets',
      'GET /api/pets/:id',
      'POST /api/pets',
    ]);
  });

  it('of Spring are below the context path of its server', () => {
    const pets = '@RestController @RequestMapping("/pets") class Pets { @GetMapping("/{id}") Pet one() {} }';
    expect(
      routes({ 'src/main/java/Pets.java': pets, 'src/main/resources/application.properties': 'server.servlet.context-path=/api\n' }),
    ).toEqual(['GET /api/pets/:id']);
  });
});

describe('the typed routes of Ktor', () => {
  it('have the paths of their resources, below those of the resources that these take', () => {
    const main = `import io.ktor.resources.Resource
      import io.ktor.server.resources.get
      import io.ktor.server.resources.post
      import io.ktor.server.routing.*
      fun Application.module() {
        routing {
          route("/v1") {
            get<Edits> { edits -> call.respond(list(edits)) }
            get<Edits.Id> { call.respond(1) }
            post<Edits.Id.Review> { call.respond(1) }
            authenticate("cookie") { get<Periods.Id> { call.respond(1) } }
            get<Unknown> { call.respond(1) }
          }
        }
      }`;
    const resources = `import io.ktor.resources.Resource
      import io.ktor.server.routing.Route
      @Serializable
      @Resource("/edits")
      private class Edits(val sort: String? = "new") {
        @Resource("{id}")
        @Serializable
        data class Id(val parent: Edits = Edits(), val id: Long) {
          @Resource("review") class Review(val parent: Id)
        }
      }
      object Periods {
        @Resource("/periods/{id}") class Id(val id: UInt)
      }`;
    expect(routes({ 'src/main/kotlin/Main.kt': main, 'src/main/kotlin/Resources.kt': resources })).toEqual([
      'GET /v1/edits',
      'GET /v1/edits/:id',
      'POST /v1/edits/:id/review',
      'GET /v1/periods/:id',
    ]);
  });
});

describe('the routes of the JDK’s own server', () => {
  it('are its contexts, and no other paths', () => {
    const main = `import com.sun.net.httpserver.HttpServer;
      class Main {
        static final String API = "/api";
        void start(HttpServer server) {
          server.createContext("/home", new Home());
          server.createContext(API + "/locations", this::locations);
          images.createContext("not-a-path");
        }
      }`;
    expect(routes({ 'src/main/java/Main.java': main })).toEqual(['GET /home', 'GET /api/locations']);
  });
});
