/* What programs ask of OpenMP, for a clang that comes without it. Nothing here is ever linked. */
#ifndef SONDE_OMP_H
#define SONDE_OMP_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef struct { void *inside; } omp_lock_t;
typedef struct { void *inside; } omp_nest_lock_t;
typedef void *omp_depend_t;
typedef enum { omp_sched_static = 1, omp_sched_dynamic, omp_sched_guided, omp_sched_auto } omp_sched_t;
typedef enum {
    omp_proc_bind_false, omp_proc_bind_true, omp_proc_bind_master, omp_proc_bind_close, omp_proc_bind_spread
} omp_proc_bind_t;
typedef enum {
    omp_lock_hint_none = 0, omp_lock_hint_uncontended = 1, omp_lock_hint_contended = 2,
    omp_lock_hint_nonspeculative = 4, omp_lock_hint_speculative = 8
} omp_lock_hint_t;

void omp_set_num_threads(int), omp_set_dynamic(int), omp_set_nested(int), omp_set_max_active_levels(int);
void omp_set_schedule(omp_sched_t, int), omp_get_schedule(omp_sched_t *, int *), omp_set_default_device(int);
int omp_get_num_threads(void), omp_get_max_threads(void), omp_get_thread_num(void), omp_get_num_procs(void);
int omp_in_parallel(void), omp_get_dynamic(void), omp_get_nested(void), omp_get_thread_limit(void);
int omp_get_max_active_levels(void), omp_get_level(void), omp_get_ancestor_thread_num(int);
int omp_get_team_size(int), omp_get_active_level(void), omp_in_final(void), omp_get_cancellation(void);
int omp_get_default_device(void), omp_get_num_devices(void), omp_get_num_teams(void), omp_get_team_num(void);
int omp_is_initial_device(void), omp_get_initial_device(void), omp_get_max_task_priority(void);
int omp_get_num_places(void), omp_get_place_num(void), omp_get_place_num_procs(int);
omp_proc_bind_t omp_get_proc_bind(void);

void omp_init_lock(omp_lock_t *), omp_destroy_lock(omp_lock_t *), omp_set_lock(omp_lock_t *);
void omp_unset_lock(omp_lock_t *), omp_init_lock_with_hint(omp_lock_t *, omp_lock_hint_t);
int omp_test_lock(omp_lock_t *), omp_test_nest_lock(omp_nest_lock_t *);
void omp_init_nest_lock(omp_nest_lock_t *), omp_destroy_nest_lock(omp_nest_lock_t *);
void omp_set_nest_lock(omp_nest_lock_t *), omp_unset_nest_lock(omp_nest_lock_t *);

double omp_get_wtime(void), omp_get_wtick(void);
void *omp_target_alloc(size_t, int);
void omp_target_free(void *, int);

#ifdef __cplusplus
}
#endif
#endif
