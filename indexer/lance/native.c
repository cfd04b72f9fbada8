//go:build lancedb

// The binding calls the library's functions by name. These are functions of those names that pass
// each call on to the library once native_load has opened it. Linking the library itself would cost
// every start of the program, also one that only asks the daemon, some 16 ms and 17 MB.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#if defined(_WIN32)
#include <windows.h>
static void *open_library(const char *path) { return (void *)LoadLibraryA(path); }
static void *find_symbol(void *lib, const char *name) { return (void *)GetProcAddress((HMODULE)lib, name); }
static const char *last_error(void) { return "LoadLibrary failed"; }
#else
#include <dlfcn.h>
static void *open_library(const char *path) { return dlopen(path, RTLD_NOW | RTLD_LOCAL); }
static void *find_symbol(void *lib, const char *name) { return dlsym(lib, name); }
static const char *last_error(void) { const char *s = dlerror(); return s ? s : "dlopen failed"; }
#endif

#if defined(__GLIBC__)
#include <malloc.h>
#endif

// result stands for the binding's struct, of which only the address passes through here.
typedef void *result;

// Each line: result type, name, parameters, arguments.
#define FUNCTIONS(F) \
	F(result, simple_lancedb_connect, (const char *a, void **b), (a, b)) \
	F(result, simple_lancedb_connect_with_options, (const char *a, const char *b, void **c), (a, b, c)) \
	F(result, simple_lancedb_close, (void *a), (a)) \
	F(result, simple_lancedb_table_delete, (void *a, const char *b, int64_t *c), (a, b, c)) \
	F(result, simple_lancedb_table_update, (void *a, const char *b, const char *c), (a, b, c)) \
	F(result, simple_lancedb_table_add_ipc, (void *a, const uint8_t *b, size_t c, int64_t *d), (a, b, c, d)) \
	F(result, simple_lancedb_table_names, (void *a, char ***b, int *c), (a, b, c)) \
	F(int, simple_lancedb_init, (void), ()) \
	F(result, simple_lancedb_table_create_index, (void *a, const char *b, const char *c, const char *d), (a, b, c, d)) \
	F(result, simple_lancedb_table_get_indexes, (void *a, char **b), (a, b)) \
	F(result, simple_lancedb_table_count_rows, (void *a, int64_t *b), (a, b)) \
	F(result, simple_lancedb_table_version, (void *a, int64_t *b), (a, b)) \
	F(result, simple_lancedb_table_schema_ipc, (void *a, uint8_t **b, size_t *c), (a, b, c)) \
	F(result, simple_lancedb_table_select_query, (void *a, const char *b, char **c), (a, b, c)) \
	F(result, simple_lancedb_create_table_with_ipc, (void *a, const char *b, const uint8_t *c, size_t d), (a, b, c, d)) \
	F(result, simple_lancedb_drop_table, (void *a, const char *b), (a, b)) \
	F(result, simple_lancedb_open_table, (void *a, const char *b, void **c), (a, b, c)) \
	F(result, simple_lancedb_table_close, (void *a), (a))

// The same for functions that return nothing.
#define PROCEDURES(F) \
	F(simple_lancedb_free_table_names, (char **a, int b), (a, b)) \
	F(simple_lancedb_result_free, (result a), (a)) \
	F(simple_lancedb_free_string, (char *a), (a)) \
	F(simple_lancedb_free_ipc_data, (uint8_t *a), (a))

#define PASS(type, name, params, args) \
	static type (*real_##name) params; \
	type name params { return real_##name args; }
#define PASS_VOID(name, params, args) \
	static void (*real_##name) params; \
	void name params { real_##name args; }

FUNCTIONS(PASS)
PROCEDURES(PASS_VOID)

#define FIND(name) \
	*(void **)&real_##name = find_symbol(lib, #name); \
	if (!real_##name) { \
		snprintf(why, size, "it has no function " #name); \
		return 0; \
	}
#define FIND_FUNCTION(type, name, params, args) FIND(name)
#define FIND_PROCEDURE(name, params, args) FIND(name)

// native_load opens the library and finds all functions, or says why not.
int native_load(const char *path, char *why, size_t size) {
	void *lib = open_library(path);
	if (!lib) {
		snprintf(why, size, "%s", last_error());
		return 0;
	}
	FUNCTIONS(FIND_FUNCTION)
	PROCEDURES(FIND_PROCEDURE)
	return 1;
}

// native_trim gives memory that the library has freed back to the system.
void native_trim(void) {
#if defined(__GLIBC__)
	malloc_trim(0);
#endif
}
